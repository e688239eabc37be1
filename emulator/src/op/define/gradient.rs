//! Gradients of functions of one element.

use super::alike::alike;
use super::definitions;
use crate::op::by_formula::{formula, or};
use crate::op::call::Call;
use crate::op::dtype::{SINGLE, types};
use crate::op::elementwise::Elementwise;
use crate::op::operands::Source;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::results::every;

/// The gradient of the GELU with the hyperbolic tangent.
const NEARLY_GELU: Elementwise<2> = formula!(real |grad_output, x|
    "t = tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)); \
     grad_output * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * 0.7978845608028654 * (1 + 0.134145 * x * x))")
.same(SINGLE);

definitions! {
    aclnnSigmoidBackward = formula!(real |grad_output, output| "grad_output * output * (1 - output)").same(SINGLE);
    aclnnTanhBackward = formula!(real |grad_output, output| "grad_output * (1 - output * output)").same(SINGLE);
    aclnnSiluBackward =
        formula!(real |grad_output, x| "silu_slope(grad_output, x)").same(SINGLE);
    aclnnGeluBackward = NEARLY_GELU;
    aclnnGeluBackwardV2 = gelu;
    aclnnEluBackward =
        formula!(real |grad_output, alpha, scale, input_scale, is_result, self_or_result|
            "r = self_or_result > 0 ? scale : is_result ? input_scale * (self_or_result + alpha * scale) : input_scale * alpha * scale * exp(self_or_result * input_scale); \
             grad_output * r")
        .same(SINGLE);
    aclnnLeakyReluBackward =
        formula!(real |grad_output, x, negative_slope, self_is_result|
            "x > 0 ? grad_output : grad_output * negative_slope")
        .same(SINGLE);
    aclnnHardtanhBackward =
        formula!(real |grad_output, x, min, max| "and(x > min, x < max) ? grad_output : 0").same(SINGLE);
    aclnnHardsigmoidBackward = formula!(real |grad_output, x| "and(x > -3, x < 3) ? grad_output / 6 : 0").same(SINGLE);
    aclnnHardswishBackward =
        formula!(real |grad_output, x| "hard_slope(grad_output, x)").same(SINGLE);
    // Unlike the first version at -3 and 3.
    aclnnHardswishBackwardV2 =
        formula!(real |grad_output, x| "x <= -3 ? 0 : x < 3 ? grad_output * (x * 0.3333333333333333 + 0.5) : grad_output").same(SINGLE);
    aclnnHardshrinkBackward =
        formula!(real |grad_output, x, lambd| "and(x >= -lambd, x <= lambd) ? 0 : grad_output").same(SINGLE);
    aclnnSoftshrinkBackward =
        formula!(real |grad_output, x, lambda| "and(x >= -lambda, x <= lambda) ? 0 : grad_output").same(SINGLE);
    aclnnSoftplusBackward =
        formula!(real |grad_output, x, beta, threshold|
            "t = x * beta; t > threshold ? grad_output : grad_output * sigmoid(t)")
        .same(SINGLE);
    aclnnSeluBackward =
        formula!(real |grad_output, result|
            "result > 0 ? grad_output * 1.0507009873554805 : grad_output * (result + 1.7580993408473769)")
        .same(SINGLE);
    aclnnMishBackward =
        formula!(real |grad_output, x|
            "t = tanh(softplus(x)); grad_output * (t + x * (1 - t * t) * sigmoid(x))")
        .same(SINGLE);
    aclnnSwishBackward =
        or(formula!(real |grad_output, x, beta|
            "s = sigmoid(beta * x); grad_output * s * (1 + beta * x * (1 - s))")
        .same(SINGLE), 1.0);
    aclnnLogSigmoidBackward = formula!(real |grad_output, x, buffer| "grad_output * sigmoid(-x)").same(SINGLE);
    aclnnLogitGrad = formula!(real |x, grad_output, eps|
        "eps < 0 ? (or(x < 0, x > 1) ? 0 / 0 : grad_output / (x * (1 - x))) : \
         or(x < eps, x > 1 - eps) ? 0 : grad_output / (x * (1 - x))").same(SINGLE);
    aclnnThresholdBackward =
        formula!(|grad_output, x, threshold|
            "x > threshold ? grad_output : 0")
        .same(types!(f32 f16 bf16 s8 s32 s64 u8));
    aclnnFastGeluBackward =
        formula!(real |grad_output, x|
            "s = sigmoid(1.702 * x); grad_output * (s + x * 1.702 * s * (1 - s))")
        .same(SINGLE);
    aclnnAcosGrad = alike(formula!(real |y_grad, x| "-y_grad / sqrt(1 - x * x)").same(SINGLE));
    aclnnAcosGradV2 = alike(formula!(real |y, dy| "-dy / sqrt(1 - y * y)").same(SINGLE));
    aclnnAcoshGrad = alike(formula!(real |y, dy| "dy / sinh(y)").same(SINGLE));
    aclnnAsinGrad = alike(formula!(real |y, dy| "dy / sqrt(1 - y * y)").same(SINGLE));
    aclnnAsinhGrad = alike(formula!(real |y, dy| "dy / cosh(y)").same(SINGLE));
    aclnnAtanGrad = alike(formula!(real |x, dy| "dy / (1 + x * x)").same(SINGLE));
    aclnnSqrtBackward = alike(formula!(real |y, dy| "dy == 0 ? 0 : 0.5 * dy / y").same(SINGLE));
    aclnnRsqrtGrad = alike(formula!(real |y, dy| "-0.5 * y * y * y * dy").same(SINGLE));
    aclnnInvGrad = alike(formula!(real |y, dy| "-dy * y * y").same(SINGLE));
    aclnnTanhGrad = alike(formula!(real |y, dy| "dy * (1 - y * y)").same(SINGLE));
    aclnnReluGradV3 = formula!(|x, y| "x > 0 ? y : 0").same(types!(f32 f16 bf16 s8 s32 u8));
    aclnnReluGradV4 = alike(formula!(real |grad_output, x, threshold| "x > threshold ? grad_output : 0").same(SINGLE));
    aclnnSoftsignBackward =
        alike(formula!(real |gradients, features| "a = 1 + abs(features); gradients / (a * a)").same(SINGLE));
    aclnnHuberLossGrad =
        alike(formula!(real |predictions, targets, delta| "min(max(predictions - targets, -delta), delta)").same(SINGLE));
    aclnnHingeLossGrad =
        alike(formula!(real |predict, target, grad_output| "1 - target * predict > 0 ? -target * grad_output : 0").same(SINGLE));
}

/// `aclnnGeluBackwardV2(gradOutput, self, approximate, gradInput)`
fn gelu(call: &Call) -> Result<Plan, Refusal> {
    /// With the error function.
    const GELU: Elementwise<2> = formula!(real |grad_output, x|
        "grad_output * (0.5 * (1 + erf(0.7071067811865476 * x)) + x * 0.3989422804014327 * exp(-0.5 * x * x))")
    .same(SINGLE);
    let rules = match call.text("approximate")? {
        Some("none") => GELU.rules(),
        Some("tanh") => NEARLY_GELU.rules(),
        other => {
            return Err(Refusal::invalid(format_args!(
                "approximate is {other:?}; it is \"none\" or \"tanh\""
            )));
        }
    };
    let sources = ["gradOutput", "self"].map(|name| call.input(name).map(Source::Tensor));
    rules.plan_of(
        call,
        &every(sources.into_iter())?,
        call.output("gradInput")?,
    )
}
