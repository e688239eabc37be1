//! The norm of channels whose elements are on several cards, and gradients of tokens, pairs, sums and columns.

use ascendcl::Npu;
use ascendcl::error::Usage;
use ascendcl::op::{self, Im2colOptions, Pairs};

use crate::common::{bound, isolated, usage};
use crate::op_table::{assert_near, download, operators, upload};

type D = Npu<0>;

/// An operand of three channels, its gradient, and the figures of the channels.
const OPERAND: [f32; 12] = [1.0, 2.0, 3.0, 5.0, -1.0, 0.0, 2.0, 2.0, 4.0, 1.0, 0.0, 1.0];
const GRADIENT: [f32; 12] = [
    0.5, -1.0, 1.0, 2.0, 0.0, 1.0, -2.0, 1.0, 0.5, 1.0, 3.0, -1.0,
];
const MEAN: [f32; 3] = [1.75, 3.25, 0.0];
const FACTOR: [f32; 3] = [1.206_045, 0.609_994_3, 1.0];
const WEIGHT: [f32; 3] = [1.5, 0.5, 2.0];

operators! {
    batch_norm_stats(a = OPERAND, [2, 3, 2]) => (mean = MEAN, [3]; r = FACTOR, [3]):
        |current| op::batch_norm_stats(current, &a, 0.5, mean, r);
    batch_norm_elemt(a = OPERAND, [2, 3, 2]; weight = WEIGHT, [3]; bias = [0.25f32, -1.0, 0.0], [3]; mean = MEAN, [3]; r = FACTOR, [3])
        => (out = [-1.106801f32, 0.702267, -1.076249, -0.466255, -2.0, 0.0, 0.702267, 0.702267, -0.771252, -1.686244, 0.0, 2.0], [2, 3, 2]):
        |current| op::batch_norm_elemt(current, &a, &weight, &bias, &mean, &r, 0.5, out);
    batch_norm_reduce_backward(gradient = GRADIENT, [2, 3, 2]; a = OPERAND, [2, 3, 2]; mean = MEAN, [3]; r = FACTOR, [3]; weight = WEIGHT, [3])
        => (sums = [-1.5f32, 4.5, 3.0], [3]; products = [-0.875f32, 1.375, -1.0], [3]; of_weight = [-1.05529f32, 0.838742, -1.0], [3]; of_bias = [-1.5f32, 4.5, 3.0], [3]):
        |current| op::batch_norm_reduce_backward(current, &gradient, &a, &mean, &r, &weight, sums, products, of_weight, of_bias);
    batch_norm_elemt_backward(
        gradient = GRADIENT, [2, 3, 2]; a = OPERAND, [2, 3, 2]; mean = MEAN, [3]; r = FACTOR, [3]; weight = WEIGHT, [3];
        sums = [-1.5f32, 4.5, 3.0], [3]; products = [-0.875f32, 1.375, -1.0], [3]; counts = [1.0f32, 3.0], [2]
    ) => (out = [1.151225f32, -0.986764, -0.028372, 0.198603, -2.0, 0.5, -2.795832, 2.631372, -0.219882, 0.049651, 4.5, -3.0], [2, 3, 2]):
        |current| op::batch_norm_elemt_backward(current, &gradient, &a, &mean, &r, &weight, &sums, &products, &counts, out);
    add_layer_norm_grad(
        gradient = [1.0f32, -1.0, 2.0, 0.5, 0.0, 1.0], [2, 3]; a = [1.0f32, 2.0, 4.0, 3.0, -1.0, 0.5], [2, 3]; b = [0.5f32, 1.0, -1.0, 2.0, 0.0, 1.0], [2, 3];
        r = [1.154701f32, 0.398234], [2, 1]; mean = [2.5f32, 1.833333], [2, 1]; gamma = [1.5f32, 0.5, 1.0], [3]; of_sum = [1.0f32; 6], [2, 3]
    ) => (out = [1.19245f32, -0.539601, 2.347151, 0.930265, 0.889477, 1.180258], [2, 3]; of_gamma = [-0.524163f32, -0.57735, 1.021956], [3]; of_beta = [1.5f32, -1.0, 3.0], [3]):
        |current| op::add_layer_norm_grad(current, &gradient, &a, &b, &r, &mean, &gamma, Some(&of_sum), out, of_gamma, of_beta);
    rotary_position_embedding_grad(
        gradient = [1.0f32, 0.0, 2.0, -1.0, 0.5, 1.0, -2.0, 1.0], [1, 2, 1, 4]; cos = [0.5f32, 1.0, 0.25, 2.0], [1, 1, 1, 4]; sin = [1.0f32, -1.0, 0.5, 0.25], [1, 1, 1, 4];
        a = [1.0f32, 2.0, 3.0, 4.0, -1.0, 0.5, 2.0, 0.0], [1, 2, 1, 4]
    ) => (out = [1.5f32, -0.25, -0.5, -2.0, -0.75, 1.25, -1.0, 3.0], [1, 2, 1, 4]; of_cos = [0.5f32, 0.5, 2.0, -4.0], [1, 1, 1, 4]; of_sin = [-4.0f32, 0.0, 4.0, -1.5], [1, 1, 1, 4]):
        |current| op::rotary_position_embedding_grad(current, &gradient, &cos, &sin, Some(&a), Pairs::Halves, out, of_cos, of_sin);
    im2col_backward(gradient = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0], [1, 4, 4])
        => (out = [1.0f32, 7.0, 6.0, 12.0, 34.0, 22.0, 11.0, 27.0, 16.0], [1, 1, 3, 3]):
        |current| op::im2col_backward(current, &gradient, &Im2colOptions::new([2, 2]), out);
}

isolated! {
    fn figures_of_several_cards_are_those_of_all_elements() {
        bound!(acl, side, device: D, current, stream);
        let a = upload(current, side, &[1.0f32, 2.0, 3.0, 4.0]);
        let a = a.tensor(&[2, 2]).unwrap();
        let means = upload(current, side, &[2.0f32, 3.0, 1.0 / 3.0, 3.0]);
        let factors = upload(current, side, &[0.816_496_6f32, 0.816_496_6, 0.697_485_8, 0.561_951_5]);
        let counts = upload(current, side, &[2.0f32, 3.0]);
        let (means, factors) = (means.tensor(&[2, 2]).unwrap(), factors.tensor(&[2, 2]).unwrap());
        let counts = counts.tensor(&[2]).unwrap();
        let (mut running_mean, mut running_variance) = (upload(current, side, &[1.0f32, 2.0]), upload(current, side, &[3.0f32, 4.0]));
        let out = || current.malloc::<f32>(2).unwrap().into_tensor(&[2]).unwrap();
        let (changed_mean, changed_variance) = (running_mean.tensor_mut(&[2]).unwrap(), running_variance.tensor_mut(&[2]).unwrap());
        let plan = op::batch_norm_gather_stats_with_counts(
            current, &a, &means, &factors, changed_mean, changed_variance, 0.25, 0.5, &counts, out(), out(),
        )
        .unwrap();
        let ((), (), mean, r) = plan.run(&mut stream).unwrap();
        assert_near(&download(current, side, &mean), &[1.0, 3.0]);
        assert_near(&download(current, side, &r), &[0.632_455_5, 0.632_455_5]);
        assert_near(&download(current, side, &running_mean), &[1.0, 2.25]);
        assert_near(&download(current, side, &running_variance), &[2.875, 3.625]);
        assert_eq!(
            usage(op::batch_norm_stats(current, &counts, 0.5, out(), out())),
            Usage::OperandRank { operator: "aclnnBatchNormStats", shape: vec![2], rank: 2 }
        );
    }

    fn tokens_get_the_gradients_of_their_rows() {
        bound!(acl, side, device: D, current, stream);
        let rows = upload(current, side, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        let rows = rows.tensor(&[4, 2]).unwrap();
        let words = upload(current, side, &[2i32, 0, 1, 3]);
        let sorted = words.tensor(&[4]).unwrap().indices(current, side, 4).unwrap();
        let out = |shape: &[usize]| current.malloc::<f32>(shape.iter().product()).unwrap().into_tensor(shape).unwrap();
        let plan = op::moe_token_permute_grad(current, &rows, &sorted, 2, out(&[2, 2])).unwrap();
        assert_near(&download(current, side, &plan.run(&mut stream).unwrap()), &[6.0, 8.0, 10.0, 12.0]);
        let (gradient, probs) = (upload(current, side, &[1.0f32, -1.0, 0.5, 2.0]), upload(current, side, &[0.5f32, 1.0, 2.0, 0.25]));
        let (gradient, probs) = (gradient.tensor(&[2, 2]).unwrap(), probs.tensor(&[2, 2]).unwrap());
        let plan = op::moe_token_unpermute_grad(current, &rows, &gradient, &sorted, Some(&probs), out(&[4, 2]), out(&[2, 2])).unwrap();
        let (of_rows, of_probs) = plan.run(&mut stream).unwrap();
        assert_near(&download(current, side, &of_rows), &[1.0, -1.0, 1.0, 4.0, 0.5, -0.5, 0.125, 0.5]);
        assert_near(&download(current, side, &of_probs), &[-1.0, -1.0, 9.5, 19.5]);
        assert_eq!(
            op::moe_token_permute_grad(current, &rows, &sorted, 3, out(&[2, 2])).unwrap_err().to_string(),
            "aclnnMoeTokenPermuteGrad: the numbers [3] do not fit an operand of the shape [4, 2]: the number of rows of a token divides the number of indices"
        );
    }
}
