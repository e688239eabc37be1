//! Losses and their gradients.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::{Floating, IndexElement};
use crate::op::indices::Indices;
use crate::op::shape::Dims;
use crate::op::table::functions;

/// What [`mse_loss`] gives (`reduction` of `aclnn_mse_loss.h`, CANN 8.1).
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::op::{self, LossReduction};
///
/// let a = current.memset(current.malloc::<f32>(4)?, 0)?;
/// let out = current.malloc(1)?.into_tensor(&[])?; // one number
/// let tensor = a.tensor(&[4])?;
/// op::mse_loss(current, &tensor, &tensor, LossReduction::Mean, out)?.run(&mut stream)?;
/// # });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i64)]
pub enum LossReduction {
    /// Each square.
    Each = 0,
    /// Their mean, as one number.
    Mean = 1,
    /// Their sum, as one number.
    Sum = 2,
}

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
    /// Prepares the square of the difference of two tensors, each or as one number (`aclnnMseLoss`).
    #[doc(alias("aclnnMseLoss", "aclnnMseLossGetWorkspaceSize"))]
    MseLoss<T: Floating>, mse_loss(a: in T, b: in T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnMseLoss, aclnnMseLossGetWorkspaceSize, |op| check_loss(op, &a.dims, &b.dims, reduction, &out.dims);
    /// Prepares the cross entropy of each row of `features`, which become probabilities by softmax, to the probabilities
    /// of `labels`, and its gradient, which is those of the features minus the labels
    /// (`aclnnSoftmaxCrossEntropyWithLogits`). Both operands are matrices. The loss has an element for each row, and the
    /// outputs come back as a pair.
    #[doc(alias("aclnnSoftmaxCrossEntropyWithLogits", "aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize"))]
    SoftmaxCrossEntropyWithLogits<T: Floating>,
        softmax_cross_entropy_with_logits(features: dense T, labels: dense T, loss: dense_out T, gradient: dense_out T)
        = aclnnSoftmaxCrossEntropyWithLogits, aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize, |op| check_entropy(op, &features.dims, &labels.dims, &loss.dims, &gradient.dims);
    /// Prepares `-weight[target] * a[target]` of each row of `a`, which has the logarithms of the probabilities of classes, and
    /// the sum of the weights (`aclnnNLLLoss`). A mean is divided by that sum. The outputs come back as a pair.
    ///
    /// The operand is a matrix, and the weight a vector. A target that is `ignored` counts nothing. With
    /// [`LossReduction::Each`] the sum has no meaning.
    #[doc(alias("aclnnNLLLoss", "aclnnNLLLossGetWorkspaceSize"))]
    NLLLoss<T: Floating, I: IndexElement>,
        nll_loss(a: in T, target: index I, weight: in T, reduction: [LossReduction: reduction as i64 => i64], ignored: attr i64, out: out T, total_weight: out T)
        = aclnnNLLLoss, aclnnNLLLossGetWorkspaceSize, |op| check_likelihood(op, &a.dims, target, &weight.dims).and_then(|()| match reduction { LossReduction::Each => out.dims.check_is(op, &a.dims, &[a.dims.size(0)]), _ => out.dims.check_one(op, &a.dims) }).and(total_weight.dims.check_one(op, &a.dims)).and(a.dims.check_filled(op, &total_weight.dims));
    /// Prepares the gradient of [`nll_loss`], with the sum of the weights that it gave (`aclnnNLLLossBackward`).
    #[doc(alias("aclnnNLLLossBackward", "aclnnNLLLossBackwardGetWorkspaceSize"))]
    NLLLossBackward<T: Floating, I: IndexElement>,
        nll_loss_backward(gradient: in T, a: in T, target: index I, weight: in T, reduction: [LossReduction: reduction as i64 => i64], ignored: attr i64, total_weight: in T, out: out T)
        = aclnnNLLLossBackward, aclnnNLLLossBackwardGetWorkspaceSize, |op| check_likelihood(op, &a.dims, target, &weight.dims).and_then(|()| match reduction { LossReduction::Each => gradient.dims.check_beside(op, &a.dims, &[a.dims.size(0)]), _ => gradient.dims.check_one(op, &a.dims) }).and(total_weight.dims.check_beside(op, &a.dims, &[1])).and(out.dims.check_same(op, &a.dims));
}

/// Checks that a loss has one element, or as many as the operands broadcast to.
fn check_loss(
    operator: &'static str,
    a: &Dims,
    b: &Dims,
    reduction: LossReduction,
    out: &Dims,
) -> Result<()> {
    match reduction {
        LossReduction::Each => out.check_broadcast(operator, a, b),
        LossReduction::Mean | LossReduction::Sum => {
            let mut sizes = a.sizes().iter().rev().zip(b.sizes().iter().rev());
            if !sizes.all(|(a, b)| a == b || *a == 1 || *b == 1) {
                b.check_beside(operator, a, a.sizes())?;
            }
            out.check_one(operator, a)?;
            b.check_filled(operator, out)
        }
    }
}

/// Checks that features, labels and gradient are matrices of one shape, and that there is a loss for each row.
fn check_entropy(
    operator: &'static str,
    features: &Dims,
    labels: &Dims,
    loss: &Dims,
    gradient: &Dims,
) -> Result<()> {
    features.check_rank(operator, 2)?;
    labels.check_beside(operator, features, features.sizes())?;
    loss.check_is(operator, features, &[features.size(0)])?;
    features.check_filled(operator, loss)?;
    gradient.check_same(operator, features)
}

/// Checks that there is a target for each row of a matrix, and a weight for each column, in which the targets lie.
fn check_likelihood<X, I: IndexElement, L>(
    operator: &'static str,
    operand: &Dims,
    target: &Indices<'_, X, I, L>,
    weight: &Dims,
) -> Result<()> {
    operand.check_rank(operator, 2)?;
    let [rows, classes] = [0, 1].map(|dim| operand.size(dim));
    target
        .tensor
        .dims
        .check_beside(operator, operand, &[rows])?;
    weight.check_beside(operator, operand, &[classes])?;
    target.check_within(operator, classes)
}
