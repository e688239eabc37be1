//! Losses and their gradients.

use ascendcl_sys as sys;

use crate::op::element::Floating;
use crate::op::table::functions;
use crate::op::table::network::{LossReduction, check_loss};

functions! {
    "With [`LossReduction::Each`] the output has the shape to which the operands broadcast, and otherwise one element. A gradient \
     has that shape, and the gradient of a mean or of a sum is one number.";
    /// Prepares the absolute difference (`aclnnL1Loss`).
    #[doc(alias("aclnnL1Loss", "aclnnL1LossGetWorkspaceSize"))]
    L1Loss<T: Floating>, l1_loss(a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnL1Loss, aclnnL1LossGetWorkspaceSize, |op| check_loss(op, &a.dims, &target.dims, reduction, &out.dims);
    /// Prepares the square of the difference (`aclnnMseLossOut`).
    #[doc(alias("aclnnMseLossOut", "aclnnMseLossOutGetWorkspaceSize"))]
    MseLossOut<T: Floating>,
        mse_loss_out(a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnMseLossOut, aclnnMseLossOutGetWorkspaceSize, |op| check_loss(op, &a.dims, &target.dims, reduction, &out.dims);
    /// Prepares the absolute difference, and half its square divided by `beta` where it is smaller than that
    /// (`aclnnSmoothL1Loss`).
    #[doc(alias("aclnnSmoothL1Loss", "aclnnSmoothL1LossGetWorkspaceSize"))]
    SmoothL1Loss<T: Floating>,
        smooth_l1_loss(a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], beta: attr f32, out: out T)
        = aclnnSmoothL1Loss, aclnnSmoothL1LossGetWorkspaceSize, |op| check_loss(op, &a.dims, &target.dims, reduction, &out.dims);
    /// Prepares the logarithm of `1 + e ^ (-target * a)` (`aclnnSoftMarginLoss`).
    #[doc(alias("aclnnSoftMarginLoss", "aclnnSoftMarginLossGetWorkspaceSize"))]
    SoftMarginLoss<T: Floating>,
        soft_margin_loss(a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnSoftMarginLoss, aclnnSoftMarginLossGetWorkspaceSize, |op| check_loss(op, &a.dims, &target.dims, reduction, &out.dims);
    /// Prepares the divergence of Kullback and Leibler (`aclnnKlDiv`).
    #[doc(alias("aclnnKlDiv", "aclnnKlDivGetWorkspaceSize"))]
    KlDiv<T: Floating>,
        kl_div(a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], log_target: attr bool, out: out T)
        = aclnnKlDiv, aclnnKlDivGetWorkspaceSize, |op| check_loss(op, &a.dims, &target.dims, reduction, &out.dims);
    /// Prepares the cross entropy of probabilities (`aclnnBinaryCrossEntropy`).
    #[doc(alias("aclnnBinaryCrossEntropy", "aclnnBinaryCrossEntropyGetWorkspaceSize"))]
    BinaryCrossEntropy<T: Floating>,
        binary_cross_entropy(a: in T, target: in T, weight: maybe T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnBinaryCrossEntropy, aclnnBinaryCrossEntropyGetWorkspaceSize, |op| check_loss(op, &a.dims, &target.dims, reduction, &out.dims);
    /// Prepares the cross entropy of the sigmoid (`aclnnBinaryCrossEntropyWithLogits`).
    #[doc(alias("aclnnBinaryCrossEntropyWithLogits", "aclnnBinaryCrossEntropyWithLogitsGetWorkspaceSize"))]
    BinaryCrossEntropyWithLogits<T: Floating>,
        binary_cross_entropy_with_logits(a: in T, target: in T, weight: maybe T, pos_weight: maybe T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnBinaryCrossEntropyWithLogits, aclnnBinaryCrossEntropyWithLogitsGetWorkspaceSize, |op| check_loss(op, &a.dims, &target.dims, reduction, &out.dims);
    /// Prepares the gradient of the absolute difference (`aclnnL1LossBackward`).
    #[doc(alias("aclnnL1LossBackward", "aclnnL1LossBackwardGetWorkspaceSize"))]
    L1LossBackward<T: Floating>,
        l1_loss_backward(gradient: in T, a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnL1LossBackward, aclnnL1LossBackwardGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&gradient.dims, &a.dims, &target.dims]);
    /// Prepares the gradient of the square of the difference (`aclnnMseLossBackward`).
    #[doc(alias("aclnnMseLossBackward", "aclnnMseLossBackwardGetWorkspaceSize"))]
    MseLossBackward<T: Floating>,
        mse_loss_backward(gradient: in T, a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnMseLossBackward, aclnnMseLossBackwardGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&gradient.dims, &a.dims, &target.dims]);
    /// Prepares the gradient of the smooth absolute difference (`aclnnSmoothL1LossBackward`).
    #[doc(alias("aclnnSmoothL1LossBackward", "aclnnSmoothL1LossBackwardGetWorkspaceSize"))]
    SmoothL1LossBackward<T: Floating>,
        smooth_l1_loss_backward(gradient: in T, a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], beta: attr f32, out: out T)
        = aclnnSmoothL1LossBackward, aclnnSmoothL1LossBackwardGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&gradient.dims, &a.dims, &target.dims]);
    /// Prepares the gradient of the logarithm of `1 + e ^ (-target * a)` (`aclnnSoftMarginLossBackward`).
    #[doc(alias("aclnnSoftMarginLossBackward", "aclnnSoftMarginLossBackwardGetWorkspaceSize"))]
    SoftMarginLossBackward<T: Floating>,
        soft_margin_loss_backward(gradient: in T, a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnSoftMarginLossBackward, aclnnSoftMarginLossBackwardGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&gradient.dims, &a.dims, &target.dims]);
    /// Prepares the gradient of the divergence of Kullback and Leibler (`aclnnKlDivBackward`).
    #[doc(alias("aclnnKlDivBackward", "aclnnKlDivBackwardGetWorkspaceSize"))]
    KlDivBackward<T: Floating>,
        kl_div_backward(gradient: in T, a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], log_target: attr bool, out: out T)
        = aclnnKlDivBackward, aclnnKlDivBackwardGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&gradient.dims, &a.dims, &target.dims]);
    /// Prepares the gradient of the divergence of Kullback and Leibler by its target (`aclnnKlDivTargetBackward`).
    #[doc(alias("aclnnKlDivTargetBackward", "aclnnKlDivTargetBackwardGetWorkspaceSize"))]
    KlDivTargetBackward<T: Floating>,
        kl_div_target_backward(gradient: in T, a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], log_target: attr bool, out: out T)
        = aclnnKlDivTargetBackward, aclnnKlDivTargetBackwardGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&gradient.dims, &a.dims, &target.dims]);
    /// Prepares the gradient of the cross entropy of probabilities (`aclnnBinaryCrossEntropyBackward`).
    #[doc(alias("aclnnBinaryCrossEntropyBackward", "aclnnBinaryCrossEntropyBackwardGetWorkspaceSize"))]
    BinaryCrossEntropyBackward<T: Floating>,
        binary_cross_entropy_backward(gradient: in T, a: in T, target: in T, weight: maybe T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnBinaryCrossEntropyBackward, aclnnBinaryCrossEntropyBackwardGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&gradient.dims, &a.dims, &target.dims]);
    /// Prepares the gradient of the cross entropy of the sigmoid (`aclnnBinaryCrossEntropyWithLogitsBackward`).
    #[doc(alias("aclnnBinaryCrossEntropyWithLogitsBackward", "aclnnBinaryCrossEntropyWithLogitsBackwardGetWorkspaceSize"))]
    BinaryCrossEntropyWithLogitsBackward<T: Floating>,
        binary_cross_entropy_with_logits_backward(gradient: in T, a: in T, target: in T, weight: maybe T, pos_weight: maybe T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnBinaryCrossEntropyWithLogitsBackward, aclnnBinaryCrossEntropyWithLogitsBackwardGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&gradient.dims, &a.dims, &target.dims]);
    /// Prepares the gradient of the cross entropy of the sigmoid by its target
    /// (`aclnnBinaryCrossEntropyWithLogitsTargetBackward`).
    #[doc(alias("aclnnBinaryCrossEntropyWithLogitsTargetBackward", "aclnnBinaryCrossEntropyWithLogitsTargetBackwardGetWorkspaceSize"))]
    BinaryCrossEntropyWithLogitsTargetBackward<T: Floating>,
        binary_cross_entropy_with_logits_target_backward(gradient: in T, a: in T, target: in T, weight: maybe T, pos_weight: maybe T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnBinaryCrossEntropyWithLogitsTargetBackward, aclnnBinaryCrossEntropyWithLogitsTargetBackwardGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&gradient.dims, &a.dims, &target.dims]);
}
