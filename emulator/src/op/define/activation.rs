//! Activations of neural networks.

use super::definitions;
use crate::op::call::Call;
use crate::op::dtype::{SINGLE, types};
use crate::op::elementwise::{Elementwise, elementwise};
use crate::op::plan::{Definition, Plan};
use crate::op::refusal::Refusal;
use crate::op::unary::{GELU_TANH, RELU, SIGMOID, SILU, TANH};

definitions! {
    aclnnRelu, aclnnInplaceRelu = elementwise!(|x| x.larger(W::ZERO)).same(types!(f32 f16 bf16 s8 s32 s64)).unary(RELU);
    aclnnLeakyRelu, aclnnInplaceLeakyRelu = elementwise!(real |x, slope| if x > W::ZERO { x } else { x * slope })
        .takes(SINGLE)
        .gives(SINGLE);
    aclnnElu, aclnnInplaceElu = elementwise!(real |x, alpha, scale, input_scale| if x > W::ZERO {
        scale * x
    } else {
        scale * alpha * (input_scale * x).exp_m1()
    })
    .takes(SINGLE)
    .gives(SINGLE);
    aclnnThreshold, aclnnInplaceThreshold = elementwise!(|x, threshold, value| if x > threshold { x } else { value })
        .takes(types!(bf16 f16 f32 s8 s16 s32 s64 u8))
        .gives(types!(bf16 f16 f32 s8 s16 s32 s64 u8));
    aclnnSigmoid, aclnnInplaceSigmoid = elementwise!(real |x| x.sigmoid()).takes(SINGLE).gives(SINGLE).unary(SIGMOID);
    aclnnTanh, aclnnInplaceTanh = elementwise!(real |x| x.tanh())
        .takes(types!(bf16 f16 f32 s8 s16 s32 s64 u8 bool))
        .gives(SINGLE)
        .unary(TANH);
    aclnnSilu = elementwise!(real |x| x.silu()).same(SINGLE).unary(SILU);
    aclnnMish, aclnnInplaceMish = elementwise!(real |x| x * x.softplus().tanh()).same(SINGLE);
    aclnnGelu = NEARLY_GELU;
    aclnnGeluV2 = gelu;
    aclnnSoftplus = elementwise!(real |x, beta, threshold| if x * beta > threshold {
        x
    } else {
        (x * beta).softplus() / beta
    })
    .same(SINGLE);
    aclnnHardswish, aclnnInplaceHardswish =
        elementwise!(real |x| x * (x + W::real(3.0)).larger(W::ZERO).smaller(W::real(6.0)) / W::real(6.0))
            .takes(SINGLE)
            .gives(SINGLE);
    aclnnHardsigmoid, aclnnInplaceHardsigmoid =
        elementwise!(real |x| (x / W::real(6.0) + W::real(0.5)).larger(W::ZERO).smaller(W::real(1.0)))
            .same(types!(bf16 f16 f32 s32));
}

const NEARLY_GELU: Elementwise<1> = elementwise!(real | x | x.gelu_tanh())
    .same(SINGLE)
    .unary(GELU_TANH);

/// `aclnnGeluV2(x, approximate, y)`
fn gelu(call: &Call) -> Result<Plan, Refusal> {
    const GELU: Elementwise<1> = elementwise!(real | x | x.gelu()).same(SINGLE);
    match call.whole("approximate")? {
        0 => GELU.plan(call),
        1 => NEARLY_GELU.plan(call),
        other => Err(Refusal::invalid(format_args!(
            "approximate is {other}; it is 0 or 1"
        ))),
    }
}
