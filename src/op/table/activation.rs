//! Activations of neural networks.

use ascendcl_sys as sys;

use crate::op::element::{Floating, Numeric};
use crate::op::table::{any_shape, functions};

/// Which function [`gelu_v2`] computes (`approximate` of `aclnn_gelu_v2.h`, CANN 8.1).
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::op::{self, Gelus};
///
/// let a = current.memset(current.malloc::<f32>(4)?, 0)?;
/// let out = current.malloc(4)?.into_tensor(&[4])?;
/// op::gelu_v2(current, &a.tensor(&[4])?, Gelus::Tanh, out)?.run(&mut stream)?;
/// # });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(i64)]
pub enum Gelus {
    /// The one with the error function.
    #[default]
    Erf = 0,
    /// Its approximation with the hyperbolic tangent.
    Tanh = 1,
}

#[cfg(any(feature = "more-operators", feature = "training"))]
impl Gelus {
    /// The name that a text gives to the function.
    pub(super) const fn text(self) -> &'static std::ffi::CStr {
        match self {
            Gelus::Erf => c"none",
            Gelus::Tanh => c"tanh",
        }
    }
}

functions! {
    "The output has the shape of the operand, or is the operand itself, which `tensor_mut` lends then.";
    /// Prepares `max(a, 0)` (`aclnnRelu`).
    #[doc(alias("aclnnRelu", "aclnnReluGetWorkspaceSize"))]
    Relu<T: Numeric>, relu(a: in T, out: out T)
        = aclnnRelu, aclnnReluGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `max(a, 0)` in place (`aclnnInplaceRelu`).
    #[doc(alias("aclnnInplaceRelu", "aclnnInplaceReluGetWorkspaceSize"))]
    InplaceRelu<T: Numeric>, inplace_relu(a: only_inout T)
        = aclnnInplaceRelu, aclnnInplaceReluGetWorkspaceSize, |_| any_shape();
    /// Prepares `a`, and `slope * a` where it is negative (`aclnnLeakyRelu`).
    #[doc(alias("aclnnLeakyRelu", "aclnnLeakyReluGetWorkspaceSize"))]
    LeakyRelu<T: Floating>, leaky_relu(a: in T, slope: scalar f32, out: out T)
        = aclnnLeakyRelu, aclnnLeakyReluGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `a`, and `slope * a` where it is negative in place (`aclnnInplaceLeakyRelu`).
    #[doc(alias("aclnnInplaceLeakyRelu", "aclnnInplaceLeakyReluGetWorkspaceSize"))]
    InplaceLeakyRelu<T: Floating>, inplace_leaky_relu(a: only_inout T, slope: scalar f32)
        = aclnnInplaceLeakyRelu, aclnnInplaceLeakyReluGetWorkspaceSize, |_| any_shape();
    /// Prepares `scale * a`, and `scale * alpha * (e ^ (input_scale * a) - 1)` where it is negative (`aclnnElu`).
    #[doc(alias("aclnnElu", "aclnnEluGetWorkspaceSize"))]
    Elu<T: Floating>, elu(a: in T, alpha: scalar f32, scale: scalar f32, input_scale: scalar f32, out: out T)
        = aclnnElu, aclnnEluGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `scale * a`, and `scale * alpha * (e ^ (input_scale * a) - 1)` where it is negative in place
    /// (`aclnnInplaceElu`).
    #[doc(alias("aclnnInplaceElu", "aclnnInplaceEluGetWorkspaceSize"))]
    InplaceElu<T: Floating>,
        inplace_elu(a: only_inout T, alpha: scalar f32, scale: scalar f32, input_scale: scalar f32)
        = aclnnInplaceElu, aclnnInplaceEluGetWorkspaceSize, |_| any_shape();
    /// Prepares `a`, and `value` where it is not larger than `threshold` (`aclnnThreshold`).
    #[doc(alias("aclnnThreshold", "aclnnThresholdGetWorkspaceSize"))]
    Threshold<T: Numeric>, threshold(a: in T, threshold: scalar T, value: scalar T, out: out T)
        = aclnnThreshold, aclnnThresholdGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `a`, and `value` where it is not larger than `threshold` in place (`aclnnInplaceThreshold`).
    #[doc(alias("aclnnInplaceThreshold", "aclnnInplaceThresholdGetWorkspaceSize"))]
    InplaceThreshold<T: Numeric>, inplace_threshold(a: only_inout T, threshold: scalar T, value: scalar T)
        = aclnnInplaceThreshold, aclnnInplaceThresholdGetWorkspaceSize, |_| any_shape();
    /// Prepares `1 / (1 + e ^ -a)` (`aclnnSigmoid`).
    #[doc(alias("aclnnSigmoid", "aclnnSigmoidGetWorkspaceSize"))]
    Sigmoid<T: Floating>, sigmoid(a: in T, out: out T)
        = aclnnSigmoid, aclnnSigmoidGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `1 / (1 + e ^ -a)` in place (`aclnnInplaceSigmoid`).
    #[doc(alias("aclnnInplaceSigmoid", "aclnnInplaceSigmoidGetWorkspaceSize"))]
    InplaceSigmoid<T: Floating>, inplace_sigmoid(a: only_inout T)
        = aclnnInplaceSigmoid, aclnnInplaceSigmoidGetWorkspaceSize, |_| any_shape();
    /// Prepares the hyperbolic tangent (`aclnnTanh`).
    #[doc(alias("aclnnTanh", "aclnnTanhGetWorkspaceSize"))]
    Tanh<T: Floating>, tanh(a: in T, out: out T)
        = aclnnTanh, aclnnTanhGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the hyperbolic tangent in place (`aclnnInplaceTanh`).
    #[doc(alias("aclnnInplaceTanh", "aclnnInplaceTanhGetWorkspaceSize"))]
    InplaceTanh<T: Floating>, inplace_tanh(a: only_inout T)
        = aclnnInplaceTanh, aclnnInplaceTanhGetWorkspaceSize, |_| any_shape();
    /// Prepares `a / (1 + e ^ -a)` (`aclnnSilu`).
    #[doc(alias("aclnnSilu", "aclnnSiluGetWorkspaceSize"))]
    Silu<T: Floating>, silu(a: in T, out: out T)
        = aclnnSilu, aclnnSiluGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `a * tanh(ln(1 + e ^ a))` (`aclnnMish`).
    #[doc(alias("aclnnMish", "aclnnMishGetWorkspaceSize"))]
    Mish<T: Floating>, mish(a: in T, out: out T)
        = aclnnMish, aclnnMishGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `a * tanh(ln(1 + e ^ a))` in place (`aclnnInplaceMish`).
    #[doc(alias("aclnnInplaceMish", "aclnnInplaceMishGetWorkspaceSize"))]
    InplaceMish<T: Floating>, inplace_mish(a: only_inout T)
        = aclnnInplaceMish, aclnnInplaceMishGetWorkspaceSize, |_| any_shape();
    /// Prepares `a / 2 * (1 + tanh(sqrt(2 / pi) * (a + 0.044715 * a ^ 3)))` (`aclnnGelu`).
    #[doc(alias("aclnnGelu", "aclnnGeluGetWorkspaceSize"))]
    Gelu<T: Floating>, gelu(a: in T, out: out T)
        = aclnnGelu, aclnnGeluGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `a / 2 * (1 + erf(a / sqrt(2)))`, or its approximation (`aclnnGeluV2`).
    #[doc(alias("aclnnGeluV2", "aclnnGeluV2GetWorkspaceSize"))]
    GeluV2<T: Floating>, gelu_v2(a: in T, approximation: [Gelus: approximation as i64 => i64], out: out T)
        = aclnnGeluV2, aclnnGeluV2GetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `ln(1 + e ^ (beta * a)) / beta`, and `a` where `beta * a` is larger than `threshold`
    /// (`aclnnSoftplus`).
    #[doc(alias("aclnnSoftplus", "aclnnSoftplusGetWorkspaceSize"))]
    Softplus<T: Floating>, softplus(a: in T, beta: scalar f32, threshold: scalar f32, out: out T)
        = aclnnSoftplus, aclnnSoftplusGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `a * min(max(a + 3, 0), 6) / 6` (`aclnnHardswish`).
    #[doc(alias("aclnnHardswish", "aclnnHardswishGetWorkspaceSize"))]
    Hardswish<T: Floating>, hardswish(a: in T, out: out T)
        = aclnnHardswish, aclnnHardswishGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `a * min(max(a + 3, 0), 6) / 6` in place (`aclnnInplaceHardswish`).
    #[doc(alias("aclnnInplaceHardswish", "aclnnInplaceHardswishGetWorkspaceSize"))]
    InplaceHardswish<T: Floating>, inplace_hardswish(a: only_inout T)
        = aclnnInplaceHardswish, aclnnInplaceHardswishGetWorkspaceSize, |_| any_shape();
    /// Prepares `min(max(a / 6 + 0.5, 0), 1)` (`aclnnHardsigmoid`).
    #[doc(alias("aclnnHardsigmoid", "aclnnHardsigmoidGetWorkspaceSize"))]
    Hardsigmoid<T: Floating>, hardsigmoid(a: in T, out: out T)
        = aclnnHardsigmoid, aclnnHardsigmoidGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `min(max(a / 6 + 0.5, 0), 1)` in place (`aclnnInplaceHardsigmoid`).
    #[doc(alias("aclnnInplaceHardsigmoid", "aclnnInplaceHardsigmoidGetWorkspaceSize"))]
    InplaceHardsigmoid<T: Floating>, inplace_hardsigmoid(a: only_inout T)
        = aclnnInplaceHardsigmoid, aclnnInplaceHardsigmoidGetWorkspaceSize, |_| any_shape();
    /// Prepares the logarithm of the sigmoid (`aclnnLogSigmoid`).
    #[doc(alias("aclnnLogSigmoid", "aclnnLogSigmoidGetWorkspaceSize"))]
    LogSigmoid<T: Floating>, log_sigmoid(a: in T, out: out T)
        = aclnnLogSigmoid, aclnnLogSigmoidGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares a number times the sigmoid of 1.702 times the number (`aclnnFastGelu`).
    #[doc(alias("aclnnFastGelu", "aclnnFastGeluGetWorkspaceSize"))]
    FastGelu<T: Floating>, fast_gelu(a: in T, out: out T)
        = aclnnFastGelu, aclnnFastGeluGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the scaled exponential linear unit (`aclnnSelu`).
    #[doc(alias("aclnnSelu", "aclnnSeluGetWorkspaceSize"))]
    Selu<T: Floating>, selu(a: in T, out: out T)
        = aclnnSelu, aclnnSeluGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the scaled exponential linear unit, in place (`aclnnInplaceSelu`).
    #[doc(alias("aclnnInplaceSelu", "aclnnInplaceSeluGetWorkspaceSize"))]
    InplaceSelu<T: Floating>, inplace_selu(a: only_inout T)
        = aclnnInplaceSelu, aclnnInplaceSeluGetWorkspaceSize, |_| any_shape();
    /// Prepares a number, and `alpha * (e ^ (a / alpha) - 1)` where it is negative (`aclnnCelu`).
    #[doc(alias("aclnnCelu", "aclnnCeluGetWorkspaceSize"))]
    Celu<T: Floating>, celu(a: in T, alpha: scalar f32, out: out T)
        = aclnnCelu, aclnnCeluGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares a number, and `alpha * (e ^ (a / alpha) - 1)` where it is negative, in place (`aclnnInplaceCelu`).
    #[doc(alias("aclnnInplaceCelu", "aclnnInplaceCeluGetWorkspaceSize"))]
    InplaceCelu<T: Floating>, inplace_celu(a: only_inout T, alpha: scalar f32)
        = aclnnInplaceCelu, aclnnInplaceCeluGetWorkspaceSize, |_| any_shape();
    /// Prepares a number times the sigmoid of `beta` times the number; without `beta` it is 1 (`aclnnSwish`).
    #[doc(alias("aclnnSwish", "aclnnSwishGetWorkspaceSize"))]
    Swish<T: Floating>, swish(a: in T, beta: maybe_scalar f32, out: out T)
        = aclnnSwish, aclnnSwishGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares a number, and 0 where it is at most `lambd` away from it (`aclnnHardshrink`).
    #[doc(alias("aclnnHardshrink", "aclnnHardshrinkGetWorkspaceSize"))]
    Hardshrink<T: Floating>, hardshrink(a: in T, lambda: scalar f32, out: out T)
        = aclnnHardshrink, aclnnHardshrinkGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares a number nearer to 0 by `lambd`, and 0 where it is less away (`aclnnSoftshrink`).
    #[doc(alias("aclnnSoftshrink", "aclnnSoftshrinkGetWorkspaceSize"))]
    Softshrink<T: Floating>, softshrink(a: in T, lambda: scalar f32, out: out T)
        = aclnnSoftshrink, aclnnSoftshrinkGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares a number nearer to 0 by `bias`, and 0 where it is at most `lambd` away from it (`aclnnShrink`).
    #[doc(alias("aclnnShrink", "aclnnShrinkGetWorkspaceSize"))]
    Shrink<T: Floating>, shrink(a: in T, lambda: scalar f32, bias: scalar f32, out: out T)
        = aclnnShrink, aclnnShrinkGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares a number limited to the range from `least` to `most` (`aclnnHardtanh`).
    #[doc(alias("aclnnHardtanh", "aclnnHardtanhGetWorkspaceSize"))]
    Hardtanh<T: Floating>, hardtanh(a: in T, least: scalar f32, most: scalar f32, out: out T)
        = aclnnHardtanh, aclnnHardtanhGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares a number limited to the range from `least` to `most`, in place (`aclnnInplaceHardtanh`).
    #[doc(alias("aclnnInplaceHardtanh", "aclnnInplaceHardtanhGetWorkspaceSize"))]
    InplaceHardtanh<T: Floating>, inplace_hardtanh(a: only_inout T, least: scalar f32, most: scalar f32)
        = aclnnInplaceHardtanh, aclnnInplaceHardtanhGetWorkspaceSize, |_| any_shape();
}
