//! The results of losses of sequences and of images, of steps with numbers of the device, and of gradients of fused operators.

use ascendcl::Npu;
use ascendcl::error::Usage;
use ascendcl::op::{self, Gelus, LossReduction, RoundMode};

use crate::common::{bound, isolated, usage};
use crate::op_table::{assert_near, download, operators, upload};

type D = Npu<0>;

/// The logarithms of the probabilities of three classes at three steps.
const LOGARITHMS: [f32; 9] = [
    -1.0549569, -0.5549569, -2.554_957, -0.2693469, -2.269_347, -2.019_347, -1.0986123, -1.0986123,
    -1.0986123,
];

operators! {
    gelu_backward_v2(gradient = [1.0f32, 2.0, -1.0], [3]; a = [0.5f32, -1.0, 2.0], [3]) => (out = [0.8674951f32, -0.1666309, -1.0852318], [3]):
        |current| op::gelu_backward_v2(current, &gradient, &a, Gelus::Erf, out);
    gelu_backward_v2_with_the_tangent(gradient = [1.0f32, 2.0, -1.0], [3]; a = [0.5f32, -1.0, 2.0], [3]) => (out = [0.8673699f32, -0.1659282, -1.0860993], [3]):
        |current| op::gelu_backward_v2(current, &gradient, &a, Gelus::Tanh, out);
    ge_glu_backward(gradient = [2.0f32, -1.0], [1, 2]; a = [1.0f32, 2.0, 0.5, -1.0], [1, 4]; gelu = [0.3457312f32, -0.1586553], [1, 2])
        => (out = [0.6914625f32, 0.1586553, 1.7349902, 0.1666309], [1, 4]):
        |current| op::ge_glu_backward(current, &gradient, &a, &gelu, -1, Gelus::Erf, out);
    ge_glu_v3_backward(gradient = [2.0f32, -1.0], [1, 2]; a = [1.0f32, 2.0, 0.5, -1.0], [1, 4]; gelu = [0.8413447f32, 1.9544997], [1, 2])
        => (out = [1.0833155f32, 1.0852318, 1.6826895, -1.9544997], [1, 4]):
        |current| op::ge_glu_v3_backward(current, &gradient, &a, &gelu, 1, Gelus::Erf, true, out);
    deep_norm_grad(gradient = [1.0f32, 0.5, 0.0, -2.0, 1.0, 0.5], [2, 3]; a = [1.0f32, 2.0, 4.0, 3.0, -1.0, 0.5], [2, 3]; b = [0.5f32, 1.0, -1.0, 2.0, 0.0, 1.0], [2, 3]; gamma = [1.5f32, 0.5, 1.0], [3]; mean = [1.3333333f32, 1.4166667], [2, 1]; r = [1.4552138f32, 0.5841509], [2, 1])
        => (of_a = [0.6099058f32, -0.1284012, -0.4815045, -0.1768371, -0.1235438, 0.3003809], [2, 3]; of_b = [1.2198115f32, -0.2568024, -0.9630091, -0.3536743, -0.2470875, 0.6007618], [2, 3]; of_beta = [-1.0f32, 1.5, 0.5], [3]; of_gamma = [-2.9190332f32, -0.6345512, -0.0486792], [3]):
        |current| op::deep_norm_grad(current, &gradient, &a, &b, &gamma, &mean, &r, 0.5, of_a, of_b, of_beta, of_gamma);
    circular_pad2d_backward(gradient = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [1, 4, 3]; a = [0.0f32; 4], [1, 2, 2])
        => (out = [10.0f32, 20.0, 16.0, 32.0], [1, 2, 2]):
        |current| op::circular_pad2d_backward(current, &gradient, &a, [(1, 0), (0, 2)], out);
    circular_pad3d_backward(gradient = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], [1, 1, 3, 3]; a = [0.0f32; 4], [1, 1, 2, 2])
        => (out = [10.0f32, 20.0, 5.0, 10.0], [1, 1, 2, 2]):
        |current| op::circular_pad3d_backward(current, &gradient, &a, [(1, 0), (0, 1), (0, 0)], out);
    upsample_bilinear2d_backward_v2(gradient = [1.0f32, 2.0, 3.0, 4.0], [1, 1, 1, 4]) => (out = [3.25f32, 6.75], [1, 1, 1, 2]):
        |current| op::upsample_bilinear2d_backward_v2(current, &gradient, false, (0.0, 0.0), out);
    grid_sampler2d_backward(gradient = [1.0f32, 2.0, -1.0, 0.5], [1, 1, 2, 2]; a = [1.0f32, 2.0, 3.0, 4.0], [1, 1, 2, 2]; grid = [0.0f32, 0.0, -1.0, 1.0, 0.5, -0.5, 1.5, 0.0], [1, 2, 2, 2])
        => (out = [0.0625f32, -0.125, 2.1875, 0.25], [1, 1, 2, 2]; of_grid = [0.5f32, 1.0, 1.0, -3.0, -0.5, -1.0, -0.75, 0.375], [1, 2, 2, 2]):
        |current| op::grid_sampler2d_backward(current, &gradient, &a, &grid, 0, 0, true, out, of_grid);
    grid_sampler3d_backward(gradient = [1.0f32, 2.0], [1, 1, 1, 1, 2]; a = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [1, 1, 2, 2, 2]; grid = [0.0f32, 0.0, 0.0, 1.0, -1.0, 0.5], [1, 1, 1, 2, 3])
        => (out = [0.125f32, 0.625, 0.125, 0.125, 0.125, 1.625, 0.125, 0.125], [1, 1, 2, 2, 2]; of_grid = [0.5f32, 1.0, 2.0, -5.0, 2.0, 4.0], [1, 1, 1, 2, 3]):
        |current| op::grid_sampler3d_backward(current, &gradient, &a, &grid, 0, 0, true, out, of_grid);
}

isolated! {
    fn a_sequence_of_classes_has_a_loss_and_a_gradient() {
        bound!(acl, side, device: D, current, stream);
        let (a, words) = (upload(current, side, &LOGARITHMS), upload(current, side, &[1i64, 2]));
        let a = a.tensor(&[3, 1, 3]).unwrap();
        let targets = words.tensor(&[1, 2]).unwrap().indices(current, side, 3).unwrap();
        let out = |shape: &[usize]| current.malloc::<f32>(shape.iter().product()).unwrap().into_tensor(shape).unwrap();
        let mut table = current.memset(current.malloc::<f32>(15).unwrap(), 0).unwrap();
        let plan = op::ctc_loss(current, &a, &targets, &[3], &[2], 0, false, out(&[1]), table.tensor_mut(&[1, 3, 5]).unwrap());
        let (loss, _) = plan.unwrap().run(&mut stream).unwrap();
        assert_near(&download(current, side, &loss), &[1.4750507]);
        let none = f32::NEG_INFINITY;
        let parts = [
            -1.0549569, -0.5549569, none, none, none, -1.3243038, -2.3502269, -0.8243038, -2.5743038, none, -2.4229161,
            -2.1165604, -1.726182, -1.5927536, -3.6729161,
        ];
        assert_near(&download(current, side, &table), &parts);

        let gradient = upload(current, side, &[2.0f32]);
        let (gradient, loss) = (gradient.tensor(&[1]).unwrap(), loss.tensor(&[1]).unwrap());
        let parts = table.tensor(&[1, 3, 5]).unwrap();
        let plan = op::ctc_loss_backward(current, &gradient, &a, &targets, &[3], &[2], &loss, &parts, 0, false, out(&[3, 1, 3]));
        let slopes = plan.unwrap().run(&mut stream).unwrap();
        let expected = [0.5915118, -0.7469029, 0.1553912, 0.2497751, -0.0710997, -0.1786754, 0.4445868, 0.6666667, -1.1112535];
        assert_near(&download(current, side, &slopes), &expected);

        let mut loss = |steps: &[i64], lengths: &[i64], blank| {
            let table = table.tensor_mut(&[1, 3, 5]).unwrap();
            op::ctc_loss(current, &a, &targets, steps, lengths, blank, false, out(&[1]), table).unwrap_err().to_string()
        };
        assert_eq!(
            loss(&[4], &[2], 0),
            "aclnnCtcLoss: the numbers [4] do not fit an operand of the shape [3, 1, 3]: a number of steps for each sequence, at most those of the operand"
        );
        assert_eq!(
            loss(&[3], &[3], 0),
            "aclnnCtcLoss: the numbers [3] do not fit an operand of the shape [3, 1, 3]: a number of targets for each sequence, at most as many as there are"
        );
        assert_eq!(
            loss(&[3], &[2], 3),
            "aclnnCtcLoss: the numbers [3] do not fit an operand of the shape [3, 1, 3]: the blank is one of the classes, which are the third dimension"
        );
        let beyond = words.tensor(&[1, 2]).unwrap().indices(current, side, 4).unwrap();
        let table = table.tensor_mut(&[1, 3, 5]).unwrap();
        assert_eq!(
            usage(op::ctc_loss(current, &a, &beyond, &[3], &[2], 0, false, out(&[1]), table)),
            Usage::IndexBound { operator: "aclnnCtcLoss", below: 4, size: 3 }
        );
    }

    fn places_of_images_have_a_likelihood() {
        bound!(acl, side, device: D, current, stream);
        let a = upload(current, side, &[-1.0f32, -2.0, -3.0, -4.0]);
        let a = a.tensor(&[1, 2, 1, 2]).unwrap();
        let words = upload(current, side, &[1i32, 0]);
        let target = words.tensor(&[1, 1, 2]).unwrap().indices(current, side, 2).unwrap();
        let weight = upload(current, side, &[0.5f32, 2.0]);
        let weight = weight.tensor(&[2]).unwrap();
        let one = || current.malloc::<f32>(1).unwrap().into_tensor(&[1]).unwrap();
        let mean = LossReduction::Mean;
        let plan = op::nll_loss2d(current, &a, &target, &weight, mean, -100, one(), one()).unwrap();
        let (loss, total) = plan.run(&mut stream).unwrap();
        assert_near(&download(current, side, &loss), &[2.8]);
        assert_near(&download(current, side, &total), &[2.5]);
        let gradient = upload(current, side, &[2.0f32]);
        let (gradient, total) = (gradient.tensor(&[1]).unwrap(), total.tensor(&[1]).unwrap());
        let out = current.malloc::<f32>(4).unwrap().into_tensor(&[1, 2, 1, 2]).unwrap();
        let plan = op::nll_loss2d_backward(current, &gradient, &a, &target, &weight, mean, -100, &total, out).unwrap();
        assert_near(&download(current, side, &plan.run(&mut stream).unwrap()), &[0.0, -0.4, -1.6, 0.0]);
        assert_eq!(
            usage(op::nll_loss2d(current, &a, &target, &weight, LossReduction::Each, -100, one(), one())),
            Usage::OutputShape { operator: "aclnnNLLLoss2d", operand: vec![1, 2, 1, 2], expected: vec![1, 1, 2], output: vec![1] }
        );
    }

    fn elements_of_a_gradient_come_back_from_their_places() {
        bound!(acl, side, device: D, current, stream);
        let (gradient, a) = (upload(current, side, &[1.0f32, 2.0, 3.0, 4.0]), upload(current, side, &[0.0f32]));
        let words = upload(current, side, &[2i64]);
        let out = |shape: &[usize]| current.malloc::<f32>(1).unwrap().into_tensor(shape).unwrap();
        let image = gradient.tensor(&[1, 2, 2]).unwrap();
        let index = words.tensor(&[1, 1, 1]).unwrap().indices(current, side, 4).unwrap();
        let plan = op::max_unpool2d_backward(current, &image, &a.tensor(&[1, 1, 1]).unwrap(), &index, out(&[1, 1, 1])).unwrap();
        assert_eq!(download(current, side, &plan.run(&mut stream).unwrap()), [3.0]);
        let volume = gradient.tensor(&[1, 2, 2, 1]).unwrap();
        let index = words.tensor(&[1, 1, 1, 1]).unwrap().indices(current, side, 4).unwrap();
        let one = a.tensor(&[1, 1, 1, 1]).unwrap();
        let plan = op::max_unpool3d_backward(current, &volume, &one, &index, &[2, 2, 1], &[0, 0, 0], out(&[1, 1, 1, 1])).unwrap();
        assert_eq!(download(current, side, &plan.run(&mut stream).unwrap()), [3.0]);
        let beyond = words.tensor(&[1, 1, 1, 1]).unwrap().indices(current, side, 5).unwrap();
        assert_eq!(
            usage(op::max_unpool3d_backward(current, &volume, &one, &beyond, &[2, 2, 1], &[0, 0, 0], out(&[1, 1, 1, 1]))),
            Usage::IndexBound { operator: "aclnnMaxUnpool3dBackward", below: 5, size: 4 }
        );
        assert_eq!(
            op::max_unpool3d_backward(current, &volume, &one, &index, &[2], &[0, 0, 0], out(&[1, 1, 1, 1])).unwrap_err().to_string(),
            "aclnnMaxUnpool3dBackward: the numbers [2] do not fit an operand of the shape [1, 1, 1, 1]: a number for each dimension of a volume"
        );
    }

    fn a_step_of_adam_has_numbers_of_the_device() {
        bound!(acl, side, device: D, current, stream);
        let numbers = [0.5f32, 0.75, 0.125, 0.25, 0.5, 0.75, 0.0, 0.5].map(|one| upload(current, side, &[one]));
        let [first, second, lr, decay, beta1, beta2, eps, gradient] = numbers.each_ref().map(|one| one.tensor(&[1]).unwrap());
        let mut states = [1.0f32, 0.5, 0.25].map(|one| upload(current, side, &[one]));
        let [p, m, v] = states.each_mut().map(|state| state.tensor_mut(&[1]).unwrap());
        let plan = op::apply_adam_w(current, p, m, v, &first, &second, &lr, &decay, &beta1, &beta2, &eps, &gradient, false);
        plan.unwrap().run(&mut stream).unwrap();
        let after: Vec<f32> = states.iter().flat_map(|state| download(current, side, state)).collect();
        assert_near(&after, &[0.8585104, 0.5, 0.25]);
        let two = upload(current, side, &[0.5f32, 0.5]);
        let two = two.tensor(&[2]).unwrap();
        let [p, m, v] = states.each_mut().map(|state| state.tensor_mut(&[1]).unwrap());
        assert_eq!(
            usage(op::apply_adam_w(current, p, m, v, &first, &second, &lr, &decay, &beta1, &two, &eps, &gradient, false)),
            Usage::OperandShape { operator: "aclnnApplyAdamW", first: vec![1], expected: vec![1], shape: vec![2] }
        );
    }

    fn tensors_of_a_list_have_norms_and_are_rounded() {
        bound!(acl, side, device: D, current, stream);
        let (one, two) = (upload(current, side, &[3.0f32, -4.0]), upload(current, side, &[-2.5f32]));
        let (one, two) = (one.tensor(&[2]).unwrap(), two.tensor(&[1]).unwrap());
        let x = [&one, &two];
        let out = |len: usize| current.malloc::<f32>(len).unwrap().into_tensor(&[len]).unwrap();
        for (order, expected) in [(2.0, [5.0, 2.5]), (1.0, [7.0, 2.5]), (f32::INFINITY, [4.0, 2.5])] {
            let plan = op::foreach_norm(current, &x, order, vec![out(1), out(1)]).unwrap();
            let norms = plan.run(&mut stream).unwrap();
            assert_near(&[0, 1].map(|index: usize| download(current, side, &norms[index])[0]), &expected);
        }
        assert_eq!(
            usage(op::foreach_norm(current, &x, 2.0, vec![out(2), out(1)])),
            Usage::OutputShape { operator: "aclnnForeachNorm", operand: vec![2], expected: vec![1], output: vec![2] }
        );
        let modes = [(RoundMode::Round, -2.0, 1), (RoundMode::Floor, -3.0, 2), (RoundMode::Ceil, -2.0, 3), (RoundMode::Trunc, -2.0, 5)];
        for (mode, expected, way) in modes {
            let plan = op::foreach_round_off_number_v2(current, &x, mode, vec![out(2), out(1)]).unwrap();
            assert_eq!(download(current, side, &plan.run(&mut stream).unwrap()[1]), [expected]);
            let way = upload(current, side, &[way]);
            let plan = op::foreach_round_off_number(current, &x, &way.tensor(&[1]).unwrap(), vec![out(2), out(1)]).unwrap();
            assert_eq!(download(current, side, &plan.run(&mut stream).unwrap()[1]), [expected]);
        }
    }
}
