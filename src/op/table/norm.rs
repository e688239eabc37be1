//! Softmax and normalisations.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::{Floating, Fractional};
use crate::op::shape::Dims;
use crate::op::table::functions;

functions! {
    "A dimension counts from 0, or from the end by -1, -2 and so on. The output has the shape of the operand; figures of a \
     normalisation have one element in the dimensions over which it goes.";
    /// Prepares `e ^ a`, divided by its sum along the dimension `axis` (`aclnnSoftmax`).
    #[doc(alias("aclnnSoftmax", "aclnnSoftmaxGetWorkspaceSize"))]
    Softmax<T: Fractional>, softmax(a: in T, axis: attr i64, out: out T)
        = aclnnSoftmax, aclnnSoftmaxGetWorkspaceSize, |op| out.dims.check_along(op, &a.dims, axis);
    /// Prepares the logarithm of the softmax along the dimension `axis` (`aclnnLogSoftmax`).
    #[doc(alias("aclnnLogSoftmax", "aclnnLogSoftmaxGetWorkspaceSize"))]
    LogSoftmax<T: Fractional>, log_softmax(a: in T, axis: attr i64, out: out T)
        = aclnnLogSoftmax, aclnnLogSoftmaxGetWorkspaceSize, |op| out.dims.check_along(op, &a.dims, axis);
    /// Prepares `a * r * gamma` with `r = 1 / sqrt(mean(a ^ 2) + epsilon)` over the last dimensions, which are those
    /// of `gamma`, and `r` (`aclnnRmsNorm`). The two outputs come back as a pair.
    #[doc(alias("aclnnRmsNorm", "aclnnRmsNormGetWorkspaceSize"))]
    RmsNorm<T: Floating>, rms_norm(a: in T, gamma: in T, epsilon: attr f64, out: out T, r: out f32)
        = aclnnRmsNorm, aclnnRmsNormGetWorkspaceSize, |op| Dims::check_normalised(op, &a.dims, &[&gamma.dims], &[&out.dims], &[&r.dims]);
    /// Prepares the sum of two tensors and its [`rms_norm`] (`aclnnAddRmsNorm`). The outputs come back as a tuple:
    /// the norm, `r`, the sum.
    #[doc(alias("aclnnAddRmsNorm", "aclnnAddRmsNormGetWorkspaceSize"))]
    AddRmsNorm<T: Floating>,
        add_rms_norm(a: in T, b: in T, gamma: in T, epsilon: attr f64, out: out T, r: out f32, sum: out T)
        = aclnnAddRmsNorm, aclnnAddRmsNormGetWorkspaceSize, |op| b.dims.check_beside(op, &a.dims, a.dims.sizes()).and(Dims::check_normalised(op, &a.dims, &[&gamma.dims], &[&out.dims, &sum.dims], &[&r.dims]));
    /// Prepares the sum of two tensors, normalised over the last dimensions, which are those of `gamma` and `beta`
    /// (`aclnnAddLayerNorm`). The outputs come back as a tuple: the norm, the mean, `1 / sqrt(variance + epsilon)`,
    /// the sum.
    #[doc(alias("aclnnAddLayerNorm", "aclnnAddLayerNormGetWorkspaceSize"))]
    AddLayerNorm<T: Floating>,
        add_layer_norm(a: in T, b: in T, gamma: in T, beta: in T, bias: maybe T, epsilon: attr f64, additional: (true) bool, out: dense_out T, mean: dense_out f32, r: dense_out f32, sum: dense_out T)
        = aclnnAddLayerNorm, aclnnAddLayerNormGetWorkspaceSize, |op| b.dims.check_beside(op, &a.dims, a.dims.sizes()).and(Dims::check_normalised(op, &a.dims, &[&gamma.dims, &beta.dims], &[&out.dims, &sum.dims], &[&mean.dims, &r.dims])).and(check_bias(op, &a.dims, &gamma.dims, bias.map(|bias| &bias.dims)));
}

/// Checks that a bias has the shape of the operand, or that of the weights.
fn check_bias(
    operator: &'static str,
    operand: &Dims,
    weight: &Dims,
    bias: Option<&Dims>,
) -> Result<()> {
    match bias {
        Some(bias) if bias.sizes() != weight.sizes() => {
            bias.check_beside(operator, operand, operand.sizes())
        }
        _ => Ok(()),
    }
}
