//! Other versions of operators.

use super::super::activation::LOG_SIGMOID;
use super::super::alike::alike;
use super::super::arithmetic::{Join, together};
use super::super::attention::{fused, increment, lacking, prompt};
use super::super::index::add;
use super::super::normalize::layer_norm;
use super::super::quantize::{fractal, quantize, weighted};
use super::super::select::{nonzero, unique};
use super::super::softmax::softmax;
use super::matrices::trace;
use crate::op::by_formula::formula;
use crate::op::call::Call;
use crate::op::define::definitions;
use crate::op::dtype::{MOVABLE, SINGLE, Types, types};
use crate::op::elementwise::Elementwise;
use crate::op::operands::Source;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;

definitions! {
    aclnnIndexAddV2 = add;
    aclnnLayerNormWithImplMode = layer_norm;
    aclnnFastLayerNorm = layer_norm;
    aclnnNonzeroV2 = nonzero;
    aclnnUnique = unique;
    aclnnAscendQuant = quantize;
    aclnnWeightQuantBatchMatmulV3 = weighted;
    aclnnQuantMatmulWeightNz = fractal;
    aclnnPromptFlashAttention, aclnnPromptFlashAttentionV2 = prompt;
    aclnnIncreFlashAttention, aclnnIncreFlashAttentionV2, aclnnIncreFlashAttentionV3 = increment;
    aclnnFusedInferAttentionScore = fused;
    aclnnFusedInferAttentionScoreV4, aclnnFusedInferAttentionScoreV5 = later;
    aclnnAcosV2 = formula!(real |x| "acos(x)").same(SINGLE);
    aclnnCoshV2 = formula!(real |x| "cosh(x)").same(SINGLE);
    aclnnEluV2 = formula!(real |x, alpha, scale, input_scale|
        "x > 0 ? scale * x : scale * alpha * exp_m1(input_scale * x)").same(SINGLE);
    aclnnHardsigmoidV2, aclnnInplaceHardsigmoidV2 = formula!(real |x| "min(max(x / 6 + 0.5, 0), 1)").same(SINGLE);
    aclnnLogSoftmaxV2 = |call: &Call| softmax(call, true);
    aclnnHardSwishV2 = formula!(real |x| "x * min(max(x + 3, 0), 6) / 6").same(SINGLE);
    aclnnLogsigmoidV2 = LOG_SIGMOID;
    aclnnTanV2 = formula!(real |x| "tan(x)").same(types!(f32 f16));
    aclnnAsinhV2 = formula!(real |x| "asinh(x)").same(types!(f32 f16));
    aclnnTensorMove = alike(formula!(|x| "x").same(MOVABLE));
    aclnnCastV3 = cast;
    aclnnAddMatMatElements = alike(formula!(real |a, b, c, alpha, beta| "c * beta + alpha * a * b").same(SINGLE));
    aclnnDivV2 = alike(formula!(real |x, other| "x / other").same(SINGLE));
    aclnnTraceV2 = |call: &Call| trace(call, ["x", "y"]);
    aclnnSumV2, aclnnAddN = |call: &Call| together(call, ADDED, Join::Sum);
}

/// The types of tensors that are added up.
const ADDED: Types = types!(f32 f16 bf16 s8 s16 s32 s64 u8);

/// `aclnnCastV3(x, dstType, y)`: the elements as those of `y`, whose type is `dstType`.
fn cast(call: &Call) -> Result<Plan, Refusal> {
    const MOVED: Elementwise<1> = formula!(|x| "x").converted(MOVABLE);
    let (input, out) = (call.input("x")?, call.output("y")?);
    let kind = call.dtype("dstType")?;
    if kind != out.dtype() {
        return Err(Refusal::unsupported("y", out.dtype(), &[kind]));
    }
    let input = input.shaped(out.shape())?;
    MOVED.plan_of(call, &[Source::Tensor(input)], out)
}

/// `aclnnFusedInferAttentionScoreV4`, and `aclnnFusedInferAttentionScoreV5`, which has a kind of what is added to the scores and
/// first positions.
fn later(call: &Call) -> Result<Plan, Refusal> {
    lacking(
        call,
        &["dequantScaleQueryOptional", "learnableSinkOptional"],
    )?;
    if call.has("pseType") {
        let kind = call.whole("pseType")?;
        let has_starts = ["qStartIdxOptional", "kvStartIdxOptional"]
            .iter()
            .any(|name| call.ints(name).is_ok_and(|list| !list.is_empty()));
        if kind != 0 || has_starts {
            return Err(Refusal::invalid(format_args!(
                "pseType is {kind}, or there are first positions; the emulator models 0 without them"
            )));
        }
    }
    fused(call)
}
