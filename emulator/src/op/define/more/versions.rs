//! Other versions of operators.

use super::super::attention::{fused, increment, prompt};
use super::super::index::{add, take};
use super::super::normalize::layer_norm;
use super::super::quantize::{fractal, quantize, weighted};
use super::super::select::{nonzero, unique};
use crate::op::call::Call;
use crate::op::define::definitions;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;

definitions! {
    aclnnIndexAddV2 = add;
    aclnnGatherV3 = take_in_batches;
    aclnnLayerNormWithImplMode = layer_norm;
    aclnnFastLayerNorm = layer_norm;
    aclnnNonzeroV2 = nonzero;
    aclnnUnique = unique;
    aclnnUniqueConsecutive = unique;
    aclnnAscendQuant = quantize;
    aclnnWeightQuantBatchMatmulV3 = weighted;
    aclnnQuantMatmulWeightNz = fractal;
    aclnnPromptFlashAttention, aclnnPromptFlashAttentionV2 = prompt;
    aclnnIncreFlashAttention, aclnnIncreFlashAttentionV2, aclnnIncreFlashAttentionV3 = increment;
    aclnnFusedInferAttentionScore = fused;
}

/// `aclnnGatherV3(self, dim, index, batchDims, mode, out)`
fn take_in_batches(call: &Call) -> Result<Plan, Refusal> {
    let batches = call.whole("batchDims")?;
    if batches != 0 {
        return Err(Refusal::invalid(format_args!(
            "batchDims is {batches}; the emulator models 0"
        )));
    }
    take(call)
}
