//! Activations of neural networks.

use super::definitions;
use crate::op::by_formula::{formula, or};
use crate::op::call::Call;
use crate::op::dtype::{SINGLE, types};
use crate::op::elementwise::Elementwise;
use crate::op::plan::{Definition, Plan};
use crate::op::refusal::Refusal;
use crate::op::unary::{GELU_TANH, RELU, SIGMOID, SILU, TANH};

definitions! {
    aclnnRelu, aclnnInplaceRelu = formula!(|x| "max(x, 0)").same(types!(f32 f16 bf16 s8 s32 s64)).unary(RELU);
    aclnnLeakyRelu, aclnnInplaceLeakyRelu = formula!(real |x, slope| "leaky(x, slope)")
        .takes(SINGLE)
        .gives(SINGLE);
    aclnnElu, aclnnInplaceElu = formula!(
        real |x, alpha, scale, input_scale| "x > 0 ? scale * x : scale * alpha * exp_m1(input_scale * x)"
    )
    .takes(SINGLE)
    .gives(SINGLE);
    aclnnThreshold, aclnnInplaceThreshold = formula!(|x, threshold, value| "x > threshold ? x : value")
        .takes(types!(bf16 f16 f32 s8 s16 s32 s64 u8))
        .gives(types!(bf16 f16 f32 s8 s16 s32 s64 u8));
    aclnnSigmoid, aclnnInplaceSigmoid = formula!(real |x| "sigmoid(x)").takes(SINGLE).gives(SINGLE).unary(SIGMOID);
    aclnnTanh, aclnnInplaceTanh = formula!(real |x| "tanh(x)")
        .takes(types!(bf16 f16 f32 s8 s16 s32 s64 u8 bool))
        .gives(SINGLE)
        .unary(TANH);
    aclnnSilu = formula!(real |x| "silu(x)").same(SINGLE).unary(SILU);
    aclnnMish, aclnnInplaceMish = formula!(real |x| "x * tanh(softplus(x))").same(SINGLE);
    aclnnGelu = NEARLY_GELU;
    aclnnGeluV2 = gelu;
    aclnnSoftplus = formula!(real |x, beta, threshold| "x * beta > threshold ? x : softplus(x * beta) / beta")
    .same(SINGLE);
    aclnnHardswish, aclnnInplaceHardswish =
        formula!(real |x| "hard_swish(x)")
            .takes(SINGLE)
            .gives(SINGLE);
    aclnnHardsigmoid, aclnnInplaceHardsigmoid =
        formula!(real |x| "hard_sigmoid(x)")
            .same(types!(bf16 f16 f32 s32));
    aclnnLogSigmoid = LOG_SIGMOID;
    aclnnFastGelu = formula!(real |x| "x * sigmoid(1.702 * x)").same(SINGLE);
    aclnnSelu, aclnnInplaceSelu =
        formula!(real |x| "1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * exp_m1(x))").same(SINGLE);
    aclnnCelu, aclnnInplaceCelu = formula!(real |x, alpha| "x > 0 ? x : alpha * exp_m1(x / alpha)").same(SINGLE);
    aclnnSwish = or(formula!(real |x, beta| "x * sigmoid(beta * x)").same(SINGLE), 1.0);
    aclnnHardshrink = formula!(real |x, lambd| "and(x >= -lambd, x <= lambd) ? 0 : x").same(SINGLE);
    aclnnSoftshrink = formula!(real |x, lambd| "x > lambd ? x - lambd : x < -lambd ? x + lambd : 0").same(SINGLE);
    aclnnShrink = formula!(real |x, lambd, bias| "x < -lambd ? x + bias : x > lambd ? x - bias : 0").same(SINGLE);
    aclnnHardtanh, aclnnInplaceHardtanh =
        formula!(real |x, clip_value_min, clip_value_max| "max(min(x, clip_value_max), clip_value_min)").same(SINGLE);
}

pub(super) const LOG_SIGMOID: Elementwise<1> = formula!(real | x | "-softplus(-x)").same(SINGLE);

const NEARLY_GELU: Elementwise<1> = formula!(real | x | "gelu_tanh(x)")
    .same(SINGLE)
    .unary(GELU_TANH);

/// `aclnnGeluV2(x, approximate, y)`
fn gelu(call: &Call) -> Result<Plan, Refusal> {
    const GELU: Elementwise<1> = formula!(real | x | "gelu(x)").same(SINGLE);
    match call.whole("approximate")? {
        0 => GELU.plan(call),
        1 => NEARLY_GELU.plan(call),
        other => Err(Refusal::invalid(format_args!(
            "approximate is {other}; it is 0 or 1"
        ))),
    }
}
