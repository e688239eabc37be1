//! The results of losses and of their gradients.

use ascendcl::Npu;
use ascendcl::error::{Misplaced, Usage};
use ascendcl::op::{self, LossReduction};

use crate::common::{bound, isolated, usage};
use crate::op_table::{download, operators, upload};

type D = Npu<0>;

operators! {
    l1_loss(a = [0.25f32, 0.75], [2]; target = [0.5f32, 1.0], [2]) => (out = [0.25f32], []):
        |current| op::l1_loss(current, &a, &target, LossReduction::Mean, out);
    mse_loss(a = [1.0f32, 4.0], [2]; b = [3.0, 3.0], [2]) => (out = [2.5], []):
        |current| op::mse_loss(current, &a, &b, LossReduction::Mean, out);
    mse_loss_of_each(a = [1.0f32, 4.0], [2]; b = [3.0], []) => (out = [4.0, 1.0], [2]):
        |current| op::mse_loss(current, &a, &b, LossReduction::Each, out);
    mse_loss_out(a = [0.25f32, 0.75], [2]; target = [0.5f32, 1.0], [2]) => (out = [0.0625f32], []):
        |current| op::mse_loss_out(current, &a, &target, LossReduction::Mean, out);
    smooth_l1_loss(a = [0.25f32, 0.75], [2]; target = [0.5f32, 1.0], [2]) => (out = [0.0625f32], []):
        |current| op::smooth_l1_loss(current, &a, &target, LossReduction::Mean, 0.5, out);
    soft_margin_loss(a = [0.25f32, 0.75], [2]; target = [0.5f32, 1.0], [2]) => (out = [0.509735f32], []):
        |current| op::soft_margin_loss(current, &a, &target, LossReduction::Mean, out);
    kl_div(a = [0.25f32, 0.75], [2]; target = [0.5f32, 1.0], [2]) => (out = [-0.6107868f32], []):
        |current| op::kl_div(current, &a, &target, LossReduction::Mean, false, out);
    binary_cross_entropy(a = [0.25f32, 0.75], [2]; target = [0.5f32, 1.0], [2]) => (out = [0.5623351f32], []):
        |current| op::binary_cross_entropy(current, &a, &target, None, LossReduction::Mean, out);
    binary_cross_entropy_with_logits(a = [0.25f32, 0.75], [2]; target = [0.5f32, 1.0], [2]) => (out = [0.5439052f32], []):
        |current| op::binary_cross_entropy_with_logits(current, &a, &target, None, None, LossReduction::Mean, out);
    l1_loss_backward(gradient = [2.0f32], []; a = [0.25f32, 0.75], [2]; target = [0.5f32, 1.0], [2]) => (out = [-2.0f32, -2.0], [2]):
        |current| op::l1_loss_backward(current, &gradient, &a, &target, LossReduction::Sum, out);
    mse_loss_backward(gradient = [2.0f32], []; a = [0.25f32, 0.75], [2]; target = [0.5f32, 1.0], [2]) => (out = [-1.0f32, -1.0], [2]):
        |current| op::mse_loss_backward(current, &gradient, &a, &target, LossReduction::Sum, out);
    smooth_l1_loss_backward(gradient = [2.0f32], []; a = [0.25f32, 0.75], [2]; target = [0.5f32, 1.0], [2]) => (out = [-1.0f32, -1.0], [2]):
        |current| op::smooth_l1_loss_backward(current, &gradient, &a, &target, LossReduction::Sum, 0.5, out);
    soft_margin_loss_backward(gradient = [2.0f32], []; a = [0.25f32, 0.75], [2]; target = [0.5f32, 1.0], [2]) => (out = [-0.4687906f32, -0.6416426], [2]):
        |current| op::soft_margin_loss_backward(current, &gradient, &a, &target, LossReduction::Sum, out);
    kl_div_backward(gradient = [2.0f32], []; a = [0.25f32, 0.75], [2]; target = [0.5f32, 1.0], [2]) => (out = [-1.0f32, -2.0], [2]):
        |current| op::kl_div_backward(current, &gradient, &a, &target, LossReduction::Sum, false, out);
    kl_div_target_backward(gradient = [2.0f32], []; a = [0.25f32, 0.75], [2]; target = [0.5f32, 1.0], [2]) => (out = [0.1137056f32, 0.5], [2]):
        |current| op::kl_div_target_backward(current, &gradient, &a, &target, LossReduction::Sum, false, out);
    binary_cross_entropy_backward(gradient = [2.0f32], []; a = [0.25f32, 0.75], [2]; target = [0.5f32, 1.0], [2]) => (out = [-2.666667f32, -2.666667], [2]):
        |current| op::binary_cross_entropy_backward(current, &gradient, &a, &target, None, LossReduction::Sum, out);
    binary_cross_entropy_with_logits_backward(gradient = [2.0f32], []; a = [0.25f32, 0.75], [2]; target = [0.5f32, 1.0], [2]) => (out = [0.124353f32, -0.6416426], [2]):
        |current| op::binary_cross_entropy_with_logits_backward(current, &gradient, &a, &target, None, None, LossReduction::Sum, out);
    binary_cross_entropy_with_logits_target_backward(gradient = [2.0f32], []; a = [0.25f32, 0.75], [2]; target = [0.5f32, 1.0], [2]) => (out = [-0.5f32, -1.5], [2]):
        |current| op::binary_cross_entropy_with_logits_target_backward(current, &gradient, &a, &target, None, None, LossReduction::Sum, out);
    cross_entropy(features = [0.0f32, 0.0, 0.0, 0.0], [2, 2]; labels = [1.0, 0.0, 0.5, 0.5], [2, 2])
        => (loss = [std::f32::consts::LN_2; 2], [2]; gradient = [-0.5f32, 0.5, 0.0, 0.0], [2, 2]):
        |current| op::softmax_cross_entropy_with_logits(current, &features, &labels, loss, gradient);
}

isolated! {
    fn operands_of_losses_broadcast_and_have_elements() {
        bound!(acl, side, device: D, current);
        let six = upload(current, side, &[0.0f32; 6]);
        let (a, row) = (six.tensor(&[2, 3]).unwrap(), six.slice(0..3).unwrap());
        let (two, nothing) = (six.slice(0..2).unwrap(), six.slice(0..0).unwrap());
        let (row, two, nothing) =
            (row.tensor(&[3]).unwrap(), two.tensor(&[2]).unwrap(), nothing.tensor(&[0]).unwrap());
        let out = || current.malloc::<f32>(1).unwrap().into_tensor(&[]).unwrap();
        for reduction in [LossReduction::Mean, LossReduction::Sum] {
            assert_eq!(
                usage(op::mse_loss(current, &a, &two, reduction, out())),
                Usage::OperandShape { operator: "aclnnMseLoss", first: vec![2, 3], expected: vec![2, 3], shape: vec![2] }
            );
            let _ = op::mse_loss(current, &a, &row, reduction, out()).unwrap();
            assert_eq!(
                usage(op::mse_loss(current, &nothing, &nothing, reduction, out())),
                Usage::from(Misplaced::NoElements { operator: "aclnnMseLoss", shape: vec![0] })
            );
        }
        let entropy = |losses: usize| {
            let room = current.malloc::<f32>(6).unwrap().into_tensor(&[2, 3]).unwrap();
            let losses = current.malloc::<f32>(losses).unwrap().into_tensor(&[losses]).unwrap();
            usage(op::softmax_cross_entropy_with_logits(current, &a, &a, losses, room))
        };
        assert!(matches!(entropy(3), Usage::OutputShape { .. }));
    }

    // Nothing would write the losses of rows without elements.
    fn rows_of_an_entropy_have_elements() {
        bound!(acl, side, device: D, current);
        let numbers = upload(current, side, &[0.0f32]);
        let mut space = upload(current, side, &[0.0f32]);
        let nothing = numbers.slice(0..0).unwrap();
        let x = nothing.tensor(&[2, 0]).unwrap();
        let losses = current.malloc::<f32>(2).unwrap().into_tensor(&[2]).unwrap();
        let place = space.slice_mut(0..0).unwrap().into_tensor(&[2, 0]).unwrap();
        assert_eq!(
            usage(op::softmax_cross_entropy_with_logits(current, &x, &x, losses, place)),
            Usage::from(Misplaced::NoElements {
                operator: "aclnnSoftmaxCrossEntropyWithLogits",
                shape: vec![2, 0],
            })
        );
    }
}
