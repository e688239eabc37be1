//! The results of gradients along a dimension, over the last dimensions, and of a table of rows.

use ascendcl::Npu;
use ascendcl::error::Usage;
use ascendcl::op::{self, AdamWOptions, ConvolutionOptions, LossReduction};

use crate::common::{bound, isolated, usage};
use crate::op_table::{assert_near, download, operators, upload};

type D = Npu<0>;

operators! {
    softmax_backward(gradient = [1.0f32, 2.0, 0.5, -1.0, 0.0, 3.0], [2, 3]; result = [0.25f32, 0.5, 0.25, 0.5, 0.25, 0.25], [2, 3]) => (out = [-0.09375f32, 0.3125, -0.21875, -0.625, -0.0625, 0.6875], [2, 3]):
        |current| op::softmax_backward(current, &gradient, &result, -1, out);
    log_softmax_backward(gradient = [1.0f32, 2.0, 0.5, -1.0, 0.0, 3.0], [2, 3]; result = [-1.0f32, -0.5, -2.0, -1.5, -0.25, -1.0], [2, 3]) => (out = [-0.287578f32, -0.1228573, 0.02632651, -1.44626, -1.557602, 2.264241], [2, 3]):
        |current| op::log_softmax_backward(current, &gradient, &result, 1, out);
    glu_backward(gradient = [2.0f32, -1.0], [1, 2]; a = [1.0f32, 2.0, 0.5, -1.0], [1, 4]) => (out = [1.244919f32, -0.2689414, 0.4700074, -0.3932239], [1, 4]):
        |current| op::glu_backward(current, &gradient, &a, 1, out);
    swi_glu_grad(gradient = [2.0f32, -1.0], [1, 2]; a = [1.0f32, 2.0, 0.5, -1.0], [1, 4]) => (out = [0.9276705f32, 1.090784, 1.462117, -1.761594], [1, 4]):
        |current| op::swi_glu_grad(current, &gradient, &a, -1, out);
    rms_norm_grad(gradient = [1.0f32, 0.5, -2.0, 1.0], [2, 2]; a = [1.0f32, 2.0, 3.0, -1.0], [2, 2]; r = [0.6324555f32, 0.4472136], [2, 1]; gamma = [1.5f32, 0.5], [2])
        => (out = [0.6957011f32, -0.3478505, -0.06708204, -0.2012461], [2, 2]; of_gamma = [-2.050826f32, 0.1852419], [2]):
        |current| op::rms_norm_grad(current, &gradient, &a, &r, &gamma, out, of_gamma);
    layer_norm_backward(gradient = [1.0f32, 0.5, 0.0, -2.0, 1.0, 0.5], [2, 3]; a = [1.0f32, 2.0, 4.0, 3.0, -1.0, 0.5], [2, 3]; mean = [2.333333f32, 0.8333333], [2, 1]; r = [0.8017811f32, 0.6060904], [2, 1]; weight = [1.5f32, 0.5, 1.0], [3])
        => (out = [0.2577184f32, -0.3865723, 0.1288538, -0.1948193, -0.3246875, 0.5195068], [2, 3]; of_weight = [-3.695433f32, -1.244796, -0.1010151], [3]; of_bias = [-1.0f32, 1.5, 0.5], [3]):
        |current| op::layer_norm_backward(current, &gradient, &a, &[3], &mean, &r, Some(&weight), None, out, of_weight, of_bias);
    group_norm_backward(gradient = [1.0f32, 0.5, -2.0, 1.0], [1, 2, 2]; a = [1.0f32, 2.0, 3.0, -1.0], [1, 2, 2]; mean = [1.25f32], [1, 1]; r = [0.6761234f32], [1, 1]; gamma = [1.5f32, 0.5], [2])
        => (out = [0.6664645f32, 0.3670384, -0.6085111, -0.4249919], [1, 2, 2]; of_gamma = [0.0845154f32, -3.8877096], [2]; of_beta = [1.5f32, -1.0], [2]):
        |current| op::group_norm_backward(current, &gradient, &a, &mean, &r, Some(&gamma), 1, out, of_gamma, of_beta);
    batch_norm_backward(gradient = [1.0f32, 0.5, -2.0, 1.0], [1, 2, 2]; a = [1.0f32, 2.0, 3.0, -1.0], [1, 2, 2]; weight = [1.5f32, 0.5], [2]; mean = [1.0f32, 1.0], [2]; variance = [1.0f32, 4.0], [2])
        => (out = [0.375f32, -0.75, 0.0, 0.0], [1, 2, 2]; of_weight = [0.5f32, -3.0], [2]; of_bias = [1.5f32, -1.0], [2]):
        |current| op::batch_norm_backward(current, &gradient, &a, Some(&weight), Some(&mean), Some(&variance), 0.0, out, of_weight, of_bias);
    convolution_backward(gradient = [1.0f32, -2.0], [1, 1, 1, 2]; a = [1.0f32, 2.0, 3.0], [1, 1, 1, 3]; weight = [0.5f32, 4.0], [1, 1, 1, 2])
        => (out = [0.5f32, 3.0, -8.0], [1, 1, 1, 3]; of_weight = [-3.0f32, -4.0], [1, 1, 1, 2]; of_bias = [-1.0f32], [1]):
        |current| op::convolution_backward(current, &gradient, &a, &weight, &ConvolutionOptions::default(), out, of_weight, of_bias);
    logit_grad(b = [0.25f32, 0.5, 0.9], [3]; a = [1.0f32, 2.0, 3.0], [3]) => (out = [5.333333f32, 8.0, 0.0], [3]):
        |current| op::logit_grad(current, &b, &a, 0.2, out);
}

isolated! {
    fn rows_of_a_gradient_are_added_at_their_indices() {
        bound!(acl, side, device: D, current, stream);
        let gradient = upload(current, side, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let gradient = gradient.tensor(&[3, 2]).unwrap();
        let words = upload(current, side, &[2i64, 0, 2]);
        let words = words.tensor(&[3]).unwrap();
        let index = words.indices(current, side, 3).unwrap();
        let out = |rows: usize| current.malloc::<f32>(2 * rows).unwrap().into_tensor(&[rows, 2]).unwrap();
        for (padding, scaled, expected) in [
            (None, false, [3.0, 4.0, 0.0, 0.0, 6.0, 8.0]),
            (Some(0), true, [0.0, 0.0, 0.0, 0.0, 3.0, 4.0]),
        ] {
            let plan = op::embedding_dense_backward(current, &gradient, &index, padding, scaled, out(3));
            let sums = plan.unwrap().run(&mut stream).unwrap();
            assert_eq!(download(current, side, &sums), expected);
        }
        assert_eq!(
            usage(op::embedding_dense_backward(current, &gradient, &index, None, false, out(2))),
            Usage::IndexBound { operator: "aclnnEmbeddingDenseBackward", below: 3, size: 2 }
        );
    }

    fn a_likelihood_counts_the_weights_of_its_targets() {
        bound!(acl, side, device: D, current, stream);
        let a = upload(current, side, &[-2.25_f32, -2.0, -1.75, -1.5, -1.25, -1.0, -0.75, -0.5, -0.25]);
        let a = a.tensor(&[3, 3]).unwrap();
        let words = upload(current, side, &[0i32, 2, 0]);
        let words = words.tensor(&[3]).unwrap();
        let target = words.indices(current, side, 3).unwrap();
        let weight = upload(current, side, &[0.5f32, 1.0, 2.0]);
        let weight = weight.tensor(&[3]).unwrap();
        let one = || current.malloc::<f32>(1).unwrap().into_tensor(&[1]).unwrap();
        let mean = LossReduction::Mean;
        let plan = op::nll_loss(current, &a, &target, &weight, mean, -100, one(), one()).unwrap();
        let (loss, total) = plan.run(&mut stream).unwrap();
        assert_near(&download(current, side, &loss), &[1.166667]);
        assert_eq!(download(current, side, &total), [3.0]);

        let gradient = upload(current, side, &[2.0f32]);
        let gradient = gradient.tensor(&[1]).unwrap();
        let total = total.tensor(&[1]).unwrap();
        let out = current.malloc::<f32>(9).unwrap().into_tensor(&[3, 3]).unwrap();
        let plan = op::nll_loss_backward(current, &gradient, &a, &target, &weight, mean, -100, &total, out);
        let slopes = plan.unwrap().run(&mut stream).unwrap();
        assert_near(&download(current, side, &slopes), &[-0.3333333, 0.0, 0.0, 0.0, 0.0, -1.333333, -0.3333333, 0.0, 0.0]);

        assert_eq!(
            usage(op::nll_loss(current, &a, &target, &weight, LossReduction::Each, -100, one(), one())),
            Usage::OutputShape { operator: "aclnnNLLLoss", operand: vec![3, 3], expected: vec![3], output: vec![1] }
        );
    }

    fn a_step_of_adam_moves_an_average_of_the_parameters() {
        bound!(acl, side, device: D, current, stream);
        let gradient = upload(current, side, &[0.5f32]);
        let step = upload(current, side, &[2i64]);
        let options = AdamWOptions { lr: 0.125, beta1: 0.5, beta2: 0.75, weight_decay: 0.25, eps: 0.0, maximize: false };
        for (is_decoupled, expected) in [
            (false, [0.8797187, 0.625, 0.328125, 1.439859]),
            (true, [0.8585104, 0.5, 0.25, 1.429255]),
        ] {
            let mut states = [1.0f32, 0.5, 0.25, 2.0].map(|one| upload(current, side, &[one]));
            let [p, m, v, s] = states.each_mut().map(|state| state.tensor_mut(&[1]).unwrap());
            let (gradient, step) = (gradient.tensor(&[1]).unwrap(), step.tensor(&[1]).unwrap());
            let plan = op::apply_fused_ema_adam(current, &gradient, p, m, v, s, &step, &options, 0.5, is_decoupled);
            plan.unwrap().run(&mut stream).unwrap();
            let after: Vec<f32> = states.iter().flat_map(|state| download(current, side, state)).collect();
            assert_near(&after, &expected);
        }
    }
}
