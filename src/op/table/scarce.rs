//! More gradients of functions of one element, losses, and steps of optimizers.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::Floating;
use crate::op::parameter::Text;
use crate::op::shape::Dims;
use crate::op::table::functions;
use crate::op::table::loss::{LossReduction, check_loss};

functions! {
    "The gradient of a result is `a` if nothing else is said. All shapes are equal.";
    /// Prepares the gradient of the arc cosine of `b` (`aclnnAcosGrad`).
    #[doc(alias("aclnnAcosGrad", "aclnnAcosGradGetWorkspaceSize"))]
    AcosGrad<T: Floating>, acos_grad(a: in T, b: in T, out: out T)
        = aclnnAcosGrad, aclnnAcosGradGetWorkspaceSize, |op| a.dims.check_beside(op, &b.dims, b.dims.sizes()).and(out.dims.check_same(op, &b.dims));
    /// Prepares the gradient of the arc sine of `b` (`aclnnAsinGrad`).
    #[doc(alias("aclnnAsinGrad", "aclnnAsinGradGetWorkspaceSize"))]
    AsinGrad<T: Floating>, asin_grad(b: in T, a: in T, out: out T)
        = aclnnAsinGrad, aclnnAsinGradGetWorkspaceSize, |op| a.dims.check_beside(op, &b.dims, b.dims.sizes()).and(out.dims.check_same(op, &b.dims));
    /// Prepares the gradient of the arc tangent of `b` (`aclnnAtanGrad`).
    #[doc(alias("aclnnAtanGrad", "aclnnAtanGradGetWorkspaceSize"))]
    AtanGrad<T: Floating>, atan_grad(b: in T, a: in T, out: out T)
        = aclnnAtanGrad, aclnnAtanGradGetWorkspaceSize, |op| a.dims.check_beside(op, &b.dims, b.dims.sizes()).and(out.dims.check_same(op, &b.dims));
    /// Prepares the gradient of the inverse hyperbolic cosine, from its result `b` (`aclnnAcoshGrad`).
    #[doc(alias("aclnnAcoshGrad", "aclnnAcoshGradGetWorkspaceSize"))]
    AcoshGrad<T: Floating>, acosh_grad(b: in T, a: in T, out: out T)
        = aclnnAcoshGrad, aclnnAcoshGradGetWorkspaceSize, |op| a.dims.check_beside(op, &b.dims, b.dims.sizes()).and(out.dims.check_same(op, &b.dims));
    /// Prepares the gradient of the inverse hyperbolic sine, from its result `b` (`aclnnAsinhGrad`).
    #[doc(alias("aclnnAsinhGrad", "aclnnAsinhGradGetWorkspaceSize"))]
    AsinhGrad<T: Floating>, asinh_grad(b: in T, a: in T, out: out T)
        = aclnnAsinhGrad, aclnnAsinhGradGetWorkspaceSize, |op| a.dims.check_beside(op, &b.dims, b.dims.sizes()).and(out.dims.check_same(op, &b.dims));
    /// Prepares the gradient of the square root, from its result `b` (`aclnnSqrtBackward`). It is 0 where `a` is 0.
    #[doc(alias("aclnnSqrtBackward", "aclnnSqrtBackwardGetWorkspaceSize"))]
    SqrtBackward<T: Floating>, sqrt_backward(b: in T, a: in T, out: out T)
        = aclnnSqrtBackward, aclnnSqrtBackwardGetWorkspaceSize, |op| a.dims.check_beside(op, &b.dims, b.dims.sizes()).and(out.dims.check_same(op, &b.dims));
    /// Prepares the gradient of 1 divided by the square root, from its result `b` (`aclnnRsqrtGrad`).
    #[doc(alias("aclnnRsqrtGrad", "aclnnRsqrtGradGetWorkspaceSize"))]
    RsqrtGrad<T: Floating>, rsqrt_grad(b: in T, a: in T, out: out T)
        = aclnnRsqrtGrad, aclnnRsqrtGradGetWorkspaceSize, |op| a.dims.check_beside(op, &b.dims, b.dims.sizes()).and(out.dims.check_same(op, &b.dims));
    /// Prepares the gradient of 1 divided by a number, from its result `b` (`aclnnInvGrad`).
    #[doc(alias("aclnnInvGrad", "aclnnInvGradGetWorkspaceSize"))]
    InvGrad<T: Floating>, inv_grad(b: in T, a: in T, out: out T)
        = aclnnInvGrad, aclnnInvGradGetWorkspaceSize, |op| a.dims.check_beside(op, &b.dims, b.dims.sizes()).and(out.dims.check_same(op, &b.dims));
    /// Prepares the gradient of `b / (1 + abs(b))` (`aclnnSoftsignBackward`).
    #[doc(alias("aclnnSoftsignBackward", "aclnnSoftsignBackwardGetWorkspaceSize"))]
    SoftsignBackward<T: Floating>, softsign_backward(a: in T, b: in T, out: out T)
        = aclnnSoftsignBackward, aclnnSoftsignBackwardGetWorkspaceSize, |op| a.dims.check_beside(op, &b.dims, b.dims.sizes()).and(out.dims.check_same(op, &b.dims));
    /// Prepares `max(0, 1 - target * b)` (`aclnnHingeLoss`).
    #[doc(alias("aclnnHingeLoss", "aclnnHingeLossGetWorkspaceSize"))]
    HingeLoss<T: Floating>, hinge_loss(b: in T, target: in T, out: out T)
        = aclnnHingeLoss, aclnnHingeLossGetWorkspaceSize, |op| target.dims.check_beside(op, &b.dims, b.dims.sizes()).and(out.dims.check_same(op, &b.dims));
    /// Prepares the gradient of [`hinge_loss`] (`aclnnHingeLossGrad`).
    #[doc(alias("aclnnHingeLossGrad", "aclnnHingeLossGradGetWorkspaceSize"))]
    HingeLossGrad<T: Floating>, hinge_loss_grad(b: in T, target: in T, a: in T, out: out T)
        = aclnnHingeLossGrad, aclnnHingeLossGradGetWorkspaceSize, |op| target.dims.check_beside(op, &b.dims, b.dims.sizes()).and_then(|()| a.dims.check_beside(op, &b.dims, b.dims.sizes())).and(out.dims.check_same(op, &b.dims));
    /// Prepares the gradient of [`huber_loss`], for a gradient of 1 of each element (`aclnnHuberLossGrad`).
    #[doc(alias("aclnnHuberLossGrad", "aclnnHuberLossGradGetWorkspaceSize"))]
    HuberLossGrad<T: Floating>, huber_loss_grad(b: in T, target: in T, delta: attr f64, out: out T)
        = aclnnHuberLossGrad, aclnnHuberLossGradGetWorkspaceSize, |op| target.dims.check_beside(op, &b.dims, b.dims.sizes()).and(out.dims.check_same(op, &b.dims));
    /// Prepares half the square of the difference `d`, and `delta * (d - delta / 2)` where that is above `delta` (`aclnnHuberLoss`). The
    /// output is that of [`mse_loss`](crate::op::mse_loss).
    #[doc(alias("aclnnHuberLoss", "aclnnHuberLossGetWorkspaceSize"))]
    HuberLoss<T: Floating>, huber_loss(a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], delta: attr f64, out: out T)
        = aclnnHuberLoss, aclnnHuberLossGetWorkspaceSize, |op| check_loss(op, &a.dims, &target.dims, reduction, &out.dims);
    /// Prepares `a` where the target is 1, and `max(0, margin - a)` where it is -1 (`aclnnHingeEmbeddingLoss`). The output is that of
    /// [`mse_loss`](crate::op::mse_loss).
    #[doc(alias("aclnnHingeEmbeddingLoss", "aclnnHingeEmbeddingLossGetWorkspaceSize"))]
    HingeEmbeddingLoss<T: Floating>,
        hinge_embedding_loss(a: in T, target: in T, margin: attr f64, reduction: [LossReduction: reduction.text() => Text], out: out T)
        = aclnnHingeEmbeddingLoss, aclnnHingeEmbeddingLossGetWorkspaceSize, |op| check_loss(op, &a.dims, &target.dims, reduction, &out.dims);
    /// Prepares `(ln(v) + (a - target) ^ 2 / v) / 2`, where `v` is the variance or at least `epsilon`, and with the constant of the
    /// distribution if `full` (`aclnnGaussianNllLoss`). The output is that of [`mse_loss`](crate::op::mse_loss).
    #[doc(alias("aclnnGaussianNllLoss", "aclnnGaussianNllLossGetWorkspaceSize"))]
    GaussianNllLoss<T: Floating>,
        gaussian_nll_loss(a: in T, target: in T, variance: in T, full: attr bool, epsilon: attr f64, reduction: [LossReduction: reduction.text() => Text], out: out T)
        = aclnnGaussianNllLoss, aclnnGaussianNllLossGetWorkspaceSize, |op| variance.dims.check_beside(op, &a.dims, a.dims.sizes()).and_then(|()| check_loss(op, &a.dims, &target.dims, reduction, &out.dims));
    /// Prepares half the sum of all squares, as one number (`aclnnL2Loss`).
    #[doc(alias("aclnnL2Loss", "aclnnL2LossGetWorkspaceSize"))]
    L2Loss<T: Floating>, l2_loss(a: in T, out: out T)
        = aclnnL2Loss, aclnnL2LossGetWorkspaceSize, |op| out.dims.check_one(op, &a.dims).and(a.dims.check_filled(op, &out.dims));
    /// Prepares `parameters - rate * gradient`, in place, where the rate is one number of the device (`aclnnApplyGradientDescent`).
    #[doc(alias("aclnnApplyGradientDescent", "aclnnApplyGradientDescentGetWorkspaceSize"))]
    ApplyGradientDescent<T: Floating>, apply_gradient_descent(parameters: inout T, rate: in T, gradient: in T)
        = aclnnApplyGradientDescent, aclnnApplyGradientDescentGetWorkspaceSize, |op| rate.dims.check_number(op, &parameters.dims).and_then(|()| gradient.dims.check_like(op, &parameters.dims));
    /// Prepares a step of Adagrad that changes the parameters, and the sums of the squares of their gradients if it `accumulates`
    /// (`aclnnApplyAdagradD`).
    #[doc(alias("aclnnApplyAdagradD", "aclnnApplyAdagradDGetWorkspaceSize"))]
    ApplyAdagradD<T: Floating>,
        apply_adagrad_d(parameters: inout T, squares: inout T, rate: in T, gradient: in T, accumulates: attr bool, locks: (false) bool)
        = aclnnApplyAdagradD, aclnnApplyAdagradDGetWorkspaceSize, |op| rate.dims.check_number(op, &parameters.dims).and_then(|()| squares.dims.check_like(op, &parameters.dims)).and_then(|()| gradient.dims.check_like(op, &parameters.dims));
    /// Prepares a step of FTRL that changes the parameters, the sums of the squares of their gradients, and the linear terms
    /// (`aclnnApplyFtrl`). The other operands are one number each; the power of the learning rate is -0.5 for square roots.
    #[doc(alias("aclnnApplyFtrl", "aclnnApplyFtrlGetWorkspaceSize"))]
    ApplyFtrl<T: Floating>,
        apply_ftrl(parameters: inout T, squares: inout T, linear: inout T, gradient: in T, rate: dense T, l1: dense T, l2: dense T, power: dense T, locks: (false) bool)
        = aclnnApplyFtrl, aclnnApplyFtrlGetWorkspaceSize, |op| [&squares.dims, &linear.dims, &gradient.dims].into_iter().try_for_each(|one| one.check_like(op, &parameters.dims)).and_then(|()| [&rate.dims, &l1.dims, &l2.dims, &power.dims].into_iter().try_for_each(|one| one.check_number(op, &parameters.dims)));
    /// Prepares the gradient of `e` to the power of sums of segments, from their result (`aclnnExpSegsumBackward`). The output has one dimension
    /// less than the other tensors.
    #[doc(alias("aclnnExpSegsumBackward", "aclnnExpSegsumBackwardGetWorkspaceSize"))]
    ExpSegsumBackward<T: Floating>, exp_segsum_backward(a: in T, result: in T, out: out T)
        = aclnnExpSegsumBackward, aclnnExpSegsumBackwardGetWorkspaceSize, |op| result.dims.check_beside(op, &a.dims, a.dims.sizes()).and_then(|()| check_sums(op, &a.dims, &out.dims));
    /// Prepares the sums of the channels of images, and the sums of the squares (`aclnnBatchNormReduce`). The outputs come back as a pair.
    #[doc(alias("aclnnBatchNormReduce", "aclnnBatchNormReduceGetWorkspaceSize"))]
    BatchNormReduce<T: Floating>, batch_norm_reduce(a: in T, sums: out f32, squares: out f32)
        = aclnnBatchNormReduce, aclnnBatchNormReduceGetWorkspaceSize, |op| a.dims.check_rank(op, 4).and_then(|()| [&sums.dims, &squares.dims].into_iter().try_for_each(|one| one.check_is(op, &a.dims, &[a.dims.size(1)]).and_then(|()| a.dims.check_filled(op, one))));
}

/// Checks that the last two dimensions are equal, and that the output lacks the last one.
fn check_sums(operator: &'static str, operand: &Dims, output: &Dims) -> Result<()> {
    match operand.sizes() {
        [outer @ .., last] if outer.last() == Some(last) => {
            output.check_is(operator, operand, outer)
        }
        sizes => Err(operand.numbers(operator, sizes, "the last two sizes are equal")),
    }
}
