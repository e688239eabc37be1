//! Gradients of functions of one element.

use ascendcl_sys as sys;

use crate::op::element::{Floating, Numeric};
use crate::op::parameter::Text;
use crate::op::table::activation::Gelus;
use crate::op::table::functions;

functions! {
    "`a` is the gradient of the result, and `b` the operand or, where the first line says so, the result. Shapes broadcast as in NumPy.";
    /// Prepares the gradient of the sigmoid, from its result (`aclnnSigmoidBackward`).
    #[doc(alias("aclnnSigmoidBackward", "aclnnSigmoidBackwardGetWorkspaceSize"))]
    SigmoidBackward<T: Floating>, sigmoid_backward(a: in T, b: in T, out: out T)
        = aclnnSigmoidBackward, aclnnSigmoidBackwardGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the gradient of the hyperbolic tangent, from its result (`aclnnTanhBackward`).
    #[doc(alias("aclnnTanhBackward", "aclnnTanhBackwardGetWorkspaceSize"))]
    TanhBackward<T: Floating>, tanh_backward(a: in T, b: in T, out: out T)
        = aclnnTanhBackward, aclnnTanhBackwardGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the gradient of SiLU (`aclnnSiluBackward`).
    #[doc(alias("aclnnSiluBackward", "aclnnSiluBackwardGetWorkspaceSize"))]
    SiluBackward<T: Floating>, silu_backward(a: in T, b: in T, out: out T)
        = aclnnSiluBackward, aclnnSiluBackwardGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the gradient of GELU with the hyperbolic tangent (`aclnnGeluBackward`).
    #[doc(alias("aclnnGeluBackward", "aclnnGeluBackwardGetWorkspaceSize"))]
    GeluBackward<T: Floating>, gelu_backward(a: in T, b: in T, out: out T)
        = aclnnGeluBackward, aclnnGeluBackwardGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the gradient of ELU, from its operand or from its result (`aclnnEluBackward`).
    #[doc(alias("aclnnEluBackward", "aclnnEluBackwardGetWorkspaceSize"))]
    EluBackward<T: Floating>,
        elu_backward(a: in T, alpha: scalar f32, scale: scalar f32, input_scale: scalar f32, is_result: attr bool, b: in T, out: out T)
        = aclnnEluBackward, aclnnEluBackwardGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the gradient of the leaky ReLU (`aclnnLeakyReluBackward`).
    #[doc(alias("aclnnLeakyReluBackward", "aclnnLeakyReluBackwardGetWorkspaceSize"))]
    LeakyReluBackward<T: Floating>,
        leaky_relu_backward(a: in T, b: in T, negative_slope: scalar f32, self_is_result: attr bool, out: out T)
        = aclnnLeakyReluBackward, aclnnLeakyReluBackwardGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the gradient of a limit to a range (`aclnnHardtanhBackward`).
    #[doc(alias("aclnnHardtanhBackward", "aclnnHardtanhBackwardGetWorkspaceSize"))]
    HardtanhBackward<T: Floating>, hardtanh_backward(a: in T, b: in T, least: scalar f32, most: scalar f32, out: out T)
        = aclnnHardtanhBackward, aclnnHardtanhBackwardGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the gradient of the hard sigmoid (`aclnnHardsigmoidBackward`).
    #[doc(alias("aclnnHardsigmoidBackward", "aclnnHardsigmoidBackwardGetWorkspaceSize"))]
    HardsigmoidBackward<T: Floating>, hardsigmoid_backward(a: in T, b: in T, out: out T)
        = aclnnHardsigmoidBackward, aclnnHardsigmoidBackwardGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the gradient of the hard swish (`aclnnHardswishBackward`).
    #[doc(alias("aclnnHardswishBackward", "aclnnHardswishBackwardGetWorkspaceSize"))]
    HardswishBackward<T: Floating>, hardswish_backward(a: in T, b: in T, out: out T)
        = aclnnHardswishBackward, aclnnHardswishBackwardGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the gradient of the hard swish (`aclnnHardswishBackwardV2`).
    #[doc(alias("aclnnHardswishBackwardV2", "aclnnHardswishBackwardV2GetWorkspaceSize"))]
    HardswishBackwardV2<T: Floating>, hardswish_backward_v2(a: in T, b: in T, out: out T)
        = aclnnHardswishBackwardV2, aclnnHardswishBackwardV2GetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the gradient of the hard shrinkage (`aclnnHardshrinkBackward`).
    #[doc(alias("aclnnHardshrinkBackward", "aclnnHardshrinkBackwardGetWorkspaceSize"))]
    HardshrinkBackward<T: Floating>, hardshrink_backward(a: in T, b: in T, lambda: scalar f32, out: out T)
        = aclnnHardshrinkBackward, aclnnHardshrinkBackwardGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the gradient of the soft shrinkage (`aclnnSoftshrinkBackward`).
    #[doc(alias("aclnnSoftshrinkBackward", "aclnnSoftshrinkBackwardGetWorkspaceSize"))]
    SoftshrinkBackward<T: Floating>, softshrink_backward(a: in T, b: in T, lambda: scalar f32, out: out T)
        = aclnnSoftshrinkBackward, aclnnSoftshrinkBackwardGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the gradient of the softplus (`aclnnSoftplusBackward`).
    #[doc(alias("aclnnSoftplusBackward", "aclnnSoftplusBackwardGetWorkspaceSize"))]
    SoftplusBackward<T: Floating>, softplus_backward(a: in T, b: in T, beta: scalar f32, threshold: scalar f32, out: out T)
        = aclnnSoftplusBackward, aclnnSoftplusBackwardGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the gradient of SELU, from its result (`aclnnSeluBackward`).
    #[doc(alias("aclnnSeluBackward", "aclnnSeluBackwardGetWorkspaceSize"))]
    SeluBackward<T: Floating>, selu_backward(a: in T, b: in T, out: out T)
        = aclnnSeluBackward, aclnnSeluBackwardGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the gradient of Mish (`aclnnMishBackward`).
    #[doc(alias("aclnnMishBackward", "aclnnMishBackwardGetWorkspaceSize"))]
    MishBackward<T: Floating>, mish_backward(a: in T, b: in T, out: out T)
        = aclnnMishBackward, aclnnMishBackwardGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the gradient of Swish; without `beta` it is 1 (`aclnnSwishBackward`).
    #[doc(alias("aclnnSwishBackward", "aclnnSwishBackwardGetWorkspaceSize"))]
    SwishBackward<T: Floating>, swish_backward(a: in T, b: in T, beta: maybe_scalar f32, out: out T)
        = aclnnSwishBackward, aclnnSwishBackwardGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the gradient of the logarithm of the sigmoid (`aclnnLogSigmoidBackward`). `c` is the buffer of C's
    /// `aclnnLogSigmoidForward`, whose elements do not change the result.
    #[doc(alias("aclnnLogSigmoidBackward", "aclnnLogSigmoidBackwardGetWorkspaceSize"))]
    LogSigmoidBackward<T: Floating>, log_sigmoid_backward(a: in T, b: in T, c: in T, out: out T)
        = aclnnLogSigmoidBackward, aclnnLogSigmoidBackwardGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&a.dims, &b.dims, &c.dims]);
    /// Prepares the gradient where a number is larger than `threshold`, and 0 elsewhere (`aclnnThresholdBackward`).
    #[doc(alias("aclnnThresholdBackward", "aclnnThresholdBackwardGetWorkspaceSize"))]
    ThresholdBackward<T: Numeric>, threshold_backward(a: in T, b: in T, threshold: scalar T, out: out T)
        = aclnnThresholdBackward, aclnnThresholdBackwardGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the gradient of the fast GELU (`aclnnFastGeluBackward`).
    #[doc(alias("aclnnFastGeluBackward", "aclnnFastGeluBackwardGetWorkspaceSize"))]
    FastGeluBackward<T: Floating>, fast_gelu_backward(a: in T, b: in T, out: out T)
        = aclnnFastGeluBackward, aclnnFastGeluBackwardGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the gradient of the logit `ln(a / (1 - a))` (`aclnnLogitGrad`). Outside of `epsilon` to `1 - epsilon` it is 0,
    /// and with a negative `epsilon` it is NaN outside of 0 to 1.
    #[doc(alias("aclnnLogitGrad", "aclnnLogitGradGetWorkspaceSize"))]
    LogitGrad<T: Floating>, logit_grad(b: in T, a: in T, epsilon: attr f64, out: out T)
        = aclnnLogitGrad, aclnnLogitGradGetWorkspaceSize, |op| a.dims.check_beside(op, &b.dims, b.dims.sizes()).and(out.dims.check_same(op, &b.dims));
    /// Prepares the gradient of GELU (`aclnnGeluBackwardV2`).
    #[doc(alias("aclnnGeluBackwardV2", "aclnnGeluBackwardV2GetWorkspaceSize"))]
    GeluBackwardV2<T: Floating>, gelu_backward_v2(a: in T, b: in T, approximation: [Gelus: approximation.text() => Text], out: out T)
        = aclnnGeluBackwardV2, aclnnGeluBackwardV2GetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
}
