//! Gradients.

/// Adds operators to those of [`operators!`](crate::operators), and hands them on.
#[doc(hidden)]
#[macro_export]
macro_rules! operators_of_gradients {
    ($callback:path [$($context:tt)*] { $($before:tt)* }) => {
        $crate::operators_of_spreads! { $callback [$($context)*] {
            $($before)*
            /// The gradient of the sigmoid, from its result.
            operator aclnnSigmoidBackward, aclnnSigmoidBackwardGetWorkspaceSize(gradOutput: tensor, output: tensor, gradInput: out_tensor) in "aclnn_sigmoid_backward.h";
            /// The gradient of the hyperbolic tangent, from its result.
            operator aclnnTanhBackward, aclnnTanhBackwardGetWorkspaceSize(gradOutput: tensor, output: tensor, gradInput: out_tensor) in "aclnn_tanh_backward.h";
            /// The gradient of SiLU.
            operator aclnnSiluBackward, aclnnSiluBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, gradInput: out_tensor) in "aclnn_silu_backward.h";
            /// The gradient of GELU with the hyperbolic tangent.
            operator aclnnGeluBackward, aclnnGeluBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, gradInput: const_out_tensor) in "aclnn_gelu_backward.h";
            /// The gradient of ELU, from its operand or from its result.
            operator aclnnEluBackward, aclnnEluBackwardGetWorkspaceSize(gradOutput: tensor, alpha: scalar, scale: scalar, inputScale: scalar, isResult: bool, selfOrResult: tensor, gradInput: out_tensor) in "aclnn_elu_backward.h";
            /// The gradient of the leaky ReLU.
            operator aclnnLeakyReluBackward, aclnnLeakyReluBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, negativeSlope: scalar, selfIsResult: bool, out: out_tensor) in "aclnn_leaky_relu_backward.h";
            /// The gradient of a limit to a range.
            operator aclnnHardtanhBackward, aclnnHardtanhBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, min: scalar, max: scalar, out: out_tensor) in "aclnn_hardtanh_backward.h";
            /// The gradient of the hard sigmoid.
            operator aclnnHardsigmoidBackward, aclnnHardsigmoidBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, out: out_tensor) in "aclnn_hardsigmoid_backward.h";
            /// The gradient of the hard swish.
            operator aclnnHardswishBackward, aclnnHardswishBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, out: out_tensor) in "aclnn_hardswish_backward.h";
            /// The gradient of the hard swish.
            #[newer]
            operator aclnnHardswishBackwardV2, aclnnHardswishBackwardV2GetWorkspaceSize(gradOutput: tensor, self_: tensor, out: out_tensor) in "aclnn_hardswish_backward_v2.h";
            /// The gradient of the hard shrinkage.
            operator aclnnHardshrinkBackward, aclnnHardshrinkBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, lambd: scalar, gradInput: out_tensor) in "aclnn_hardshrink_backward.h";
            /// The gradient of the soft shrinkage.
            operator aclnnSoftshrinkBackward, aclnnSoftshrinkBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, lambda: scalar, gradInput: out_tensor) in "aclnn_softshrink_backward.h";
            /// The gradient of the softplus.
            operator aclnnSoftplusBackward, aclnnSoftplusBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, beta: scalar, threshold: scalar, gradInput: out_tensor) in "aclnn_softplus_backward.h";
            /// The gradient of SELU, from its result.
            operator aclnnSeluBackward, aclnnSeluBackwardGetWorkspaceSize(gradOutput: tensor, result: tensor, gradInput: out_tensor) in "aclnn_selu_backward.h";
            /// The gradient of Mish.
            operator aclnnMishBackward, aclnnMishBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, gradInput: out_tensor) in "aclnn_mish_backward.h";
            /// The gradient of Swish; without `beta` it is 1.
            #[newer]
            operator aclnnSwishBackward, aclnnSwishBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, betaOptional: optional_scalar, gradInput: out_tensor) in "aclnn_swish_backward.h";
            /// The gradient of the logarithm of the sigmoid.
            operator aclnnLogSigmoidBackward, aclnnLogSigmoidBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, buffer: tensor, gradInput: out_tensor) in "aclnn_logsigmoid_backward.h";
            /// The gradient where a number is larger than `threshold`, and 0 elsewhere.
            operator aclnnThresholdBackward, aclnnThresholdBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, threshold: scalar, out: out_tensor) in "aclnn_threshold_backward.h";
            /// The gradient of the fast GELU.
            operator aclnnFastGeluBackward, aclnnFastGeluBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, gradInput: out_tensor) in "aclnn_fast_gelu_backward.h";
            /// The gradient of the logit of a probability.
            operator aclnnLogitGrad, aclnnLogitGradGetWorkspaceSize(x: tensor, dy: tensor, eps: f64, out: const_out_tensor) in "aclnn_logit_grad.h";
            /// The gradient of softmax, from its result.
            operator aclnnSoftmaxBackward, aclnnSoftmaxBackwardGetWorkspaceSize(gradOutput: tensor, output: tensor, dim: i64, out: out_tensor) in "aclnn_softmax_backward.h";
            /// The gradient of the logarithm of softmax, from its result.
            operator aclnnLogSoftmaxBackward, aclnnLogSoftmaxBackwardGetWorkspaceSize(gradOutput: tensor, output: tensor, dim: i64, out: out_tensor) in "aclnn_logsoftmax_backward.h";
            /// The gradient of one half of a dimension times the sigmoid of the other one.
            operator aclnnGluBackward, aclnnGluBackwardGetWorkspaceSize(gradOut: tensor, self_: tensor, dim: i64, out: const_out_tensor) in "aclnn_glu_backward.h";
            /// The gradient of the SiLU of one half of a dimension times the other one.
            operator aclnnSwiGluGrad, aclnnSwiGluGradGetWorkspaceSize(yGrad: tensor, x: tensor, dim: i64, out: const_out_tensor) in "aclnn_swi_glu_grad.h";
            /// The gradients of a root mean square normalisation.
            operator aclnnRmsNormGrad, aclnnRmsNormGradGetWorkspaceSize(dy: tensor, x: tensor, rstd: tensor, gamma: tensor, dxOut: const_out_tensor, dgammaOut: const_out_tensor) in "aclnn_rms_norm_grad.h";
            /// The gradients of a normalisation over the last dimensions.
            operator aclnnLayerNormBackward, aclnnLayerNormBackwardGetWorkspaceSize(gradOut: tensor, input: tensor, normalizedShape: int_array, mean: tensor, rstd: tensor, weightOptional: optional_tensor, biasOptional: optional_tensor, outputMask: bool_array, gradInputOut: optional_out_tensor, gradWeightOut: optional_out_tensor, gradBiasOut: optional_out_tensor) in "aclnn_layer_norm_backward.h";
            /// The gradients of a normalisation over groups of channels.
            operator aclnnGroupNormBackward, aclnnGroupNormBackwardGetWorkspaceSize(gradOut: tensor, input: tensor, mean: tensor, rstd: tensor, gamma: optional_tensor, N: i64, C: i64, HxW: i64, group: i64, outputMask: bool_array, gradInput: optional_out_tensor, gradGammaOut: optional_out_tensor, gradBetaOut: optional_out_tensor) in "aclnn_group_norm_backward.h";
            /// The gradients of a normalisation of channels.
            operator aclnnBatchNormBackward, aclnnBatchNormBackwardGetWorkspaceSize(gradOut: tensor, input: tensor, weight: optional_tensor, runningMean: optional_tensor, runningVar: optional_tensor, saveMean: optional_tensor, saveInvstd: optional_tensor, training: bool, eps: f64, outputMask: bool_array, gradInput: optional_out_tensor, gradWeight: optional_out_tensor, gradBias: optional_out_tensor) in "aclnn_batch_norm_backward.h";
            /// The gradients of a convolution.
            operator aclnnConvolutionBackward, aclnnConvolutionBackwardGetWorkspaceSize(gradOutput: tensor, input: tensor, weight: tensor, biasSizes: optional_int_array, stride: int_array, padding: int_array, dilation: int_array, transposed: bool, outputPadding: int_array, groups: c_int, outputMask: bool_array, cubeMathType: i8, gradInput: optional_out_tensor, gradWeight: optional_out_tensor, gradBias: optional_out_tensor) in "aclnn_convolution_backward.h";
            /// The gradient of a table, from which rows were taken by indices.
            operator aclnnEmbeddingDenseBackward, aclnnEmbeddingDenseBackwardGetWorkspaceSize(grad: tensor, indices: tensor, numWeights: u64, paddingIdx: u64, scaleGradByFreq: bool, out: const_out_tensor) in "aclnn_embedding_dense_backward.h";
            /// The gradient of GELU, with the error function or the hyperbolic tangent.
            operator aclnnGeluBackwardV2, aclnnGeluBackwardV2GetWorkspaceSize(gradOutput: tensor, self_: tensor, approximate: mut_text, gradInput: out_tensor) in "aclnn_gelu_backward_v2.h";
            /// The gradient of one half of a dimension times the GELU of the other one.
            operator aclnnGeGluBackward, aclnnGeGluBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, gelu: tensor, dim: i64, approximate: i64, gradInput: out_tensor) in "aclnn_geglu_backward.h";
            /// The gradient of one half of a dimension times the GELU of the other one, of which one says which.
            operator aclnnGeGluV3Backward, aclnnGeGluV3BackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, gelu: tensor, dim: i64, approximate: i64, activateLeft: bool, gradInput: out_tensor) in "aclnn_geglu_backward.h";
            /// The gradients of the norm of a sum, one of whose terms is scaled.
            operator aclnnDeepNormGrad, aclnnDeepNormGradGetWorkspaceSize(dy: tensor, x: tensor, gx: tensor, gamma: tensor, mean: tensor, rstd: tensor, alpha: f64, dxOut: const_out_tensor, dgxOut: const_out_tensor, dbetaOut: const_out_tensor, dgammaOut: const_out_tensor) in "aclnn_deep_norm_grad.h";
            /// The gradients of the numbers of images at the places of a grid, and of the places.
            operator aclnnGridSampler2DBackward, aclnnGridSampler2DBackwardGetWorkspaceSize(gradOutput: tensor, input: tensor, grid: tensor, interpolationMode: i64, paddingMode: i64, alignCorners: bool, outputMask: bool_array, inputGrad: out_tensor, gridGrad: out_tensor) in "aclnn_grid_sampler2d_backward.h";
            /// The gradients of the numbers of volumes at the places of a grid, and of the places.
            operator aclnnGridSampler3DBackward, aclnnGridSampler3DBackwardGetWorkspaceSize(gradOutput: tensor, input: tensor, grid: tensor, interpolationMode: i64, paddingMode: i64, alignCorners: bool, outputMask: bool_array, inputGrad: out_tensor, gridGrad: out_tensor) in "aclnn_grid_sampler3d_backward.h";
            /// The gradient of the numbers of boxes in images.
            #[newer]
            operator aclnnRoiAlignV2Backward, aclnnRoiAlignV2BackwardGetWorkspaceSize(gradOutput: tensor, boxes: tensor, inputShape: int_array, pooledHeight: i64, pooledWidth: i64, spatialScale: f32, samplingRatio: i64, aligned: bool, gradInput: out_tensor) in "aclnn_roi_align_v2_backward.h";
            /// Means of channels, and factors of their norm.
            operator aclnnBatchNormStats, aclnnBatchNormStatsGetWorkspaceSize(input: tensor, eps: f64, mean: out_tensor, invstd: out_tensor) in "aclnn_batch_norm_stats.h";
            /// Norm of channels with given means and factors.
            operator aclnnBatchNormElemt, aclnnBatchNormElemtGetWorkspaceSize(input: tensor, weight: tensor, bias: tensor, mean: mut_tensor, invstd: mut_tensor, eps: f64, output: out_tensor) in "aclnn_batch_norm_elemt.h";
            /// Gradient of the norm of channels, with given sums.
            operator aclnnBatchNormElemtBackward, aclnnBatchNormElemtBackwardGetWorkspaceSize(gradOut: tensor, input: tensor, mean: tensor, invstd: tensor, weight: tensor, sumDy: tensor, sumDyXmu: tensor, counter: mut_tensor, gradInput: out_tensor) in "aclnn_batch_norm_elemt_backward.h";
            /// Sums for the gradient of the norm of channels.
            operator aclnnBatchNormReduceBackward, aclnnBatchNormReduceBackwardGetWorkspaceSize(gradOut: tensor, input: tensor, mean: tensor, invstd: tensor, weight: tensor, inputG: bool, weightG: bool, biasG: bool, sumDy: optional_out_tensor, sumDyXmu: optional_out_tensor, gradWeight: optional_out_tensor, gradBias: optional_out_tensor) in "aclnn_batch_norm_backward_reduce.h";
            /// Means and factors of the channels of all parts.
            operator aclnnBatchNormGatherStatsWithCounts, aclnnBatchNormGatherStatsWithCountsGetWorkspaceSize(input: tensor, mean: tensor, invstd: tensor, runningMean: inout_tensor, runningVar: inout_tensor, momentum: f64, eps: f64, counts: tensor, meanAll: out_tensor, invstdAll: out_tensor) in "aclnn_batch_norm_gather_stats_with_counts.h";
            /// Gradients of turned pairs.
            operator aclnnRotaryPositionEmbeddingGrad, aclnnRotaryPositionEmbeddingGradGetWorkspaceSize(dy: tensor, cos: tensor, sin: tensor, xOptional: optional_tensor, mode: i64, dxOut: const_out_tensor, dcosOut: const_out_tensor, dsinOut: const_out_tensor) in "aclnn_rotary_position_embedding_grad.h";
            /// Gradient of tokens in the order of their experts.
            operator aclnnMoeTokenPermuteGrad, aclnnMoeTokenPermuteGradGetWorkspaceSize(permutedOutputGrad: tensor, sortedIndices: tensor, numTopk: i64, paddedMode: bool, out: out_tensor) in "aclnn_moe_token_permute_grad.h";
            /// Gradients of the sums of the rows of each token.
            operator aclnnMoeTokenUnpermuteGrad, aclnnMoeTokenUnpermuteGradGetWorkspaceSize(permuteTokens: tensor, unpermutedTokensGrad: tensor, sortedIndices: tensor, probsOptional: optional_tensor, paddedMode: bool, restoreShapeOptional: optional_int_array, permutedTokensGradOut: const_out_tensor, probsGradOut: const_out_tensor) in "aclnn_moe_token_unpermute_grad.h";
            /// Gradients of the norm of a sum.
            operator aclnnAddLayerNormGrad, aclnnAddLayerNormGradGetWorkspaceSize(dy: tensor, x1: tensor, x2: tensor, rstd: tensor, mean: tensor, gamma: tensor, dsumOptional: optional_tensor, dxOut: const_out_tensor, dgammaOut: const_out_tensor, dbetaOut: const_out_tensor) in "aclnn_add_layer_norm_grad.h";
            /// The gradients of numbers that have a weight where they are negative, by them and by the weight.
            operator aclnnPreluBackward, aclnnPreluBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, weight: tensor, gradInput: out_tensor, gradWeight: out_tensor) in "aclnn_prelu_backward.h";
            /// The gradient of the softmax of scaled numbers, without those that `mask` chooses.
            operator aclnnScaledMaskedSoftmaxBackward, aclnnScaledMaskedSoftmaxBackwardGetWorkspaceSize(gradOutput: tensor, y: tensor, mask: tensor, scale: f64, fixTriuMask: bool, out: out_tensor) in "aclnn_scaled_masked_softmax_backward.h";
            /// The gradient of the distances of each pair of rows.
            #[newer]
            operator aclnnCdistBackward, aclnnCdistBackwardGetWorkspaceSize(grad: tensor, x1: tensor, x2: tensor, cdist: tensor, p: f32, out: out_tensor) in "aclnn_cdist_backward.h";
            /// The sums of the rows of each group.
            operator aclnnGroupedBiasAddGrad, aclnnGroupedBiasAddGradGetWorkspaceSize(gradY: tensor, groupIdxOptional: optional_tensor, out: out_tensor) in "aclnn_grouped_bias_add_grad.h";
            /// The gradient of windows of one dimension.
            #[newer]
            operator aclnnUnfoldGrad, aclnnUnfoldGradGetWorkspaceSize(gradOut: tensor, inputSizes: int_array, dim: i64, size: i64, step: i64, gradIn: const_out_tensor) in "aclnn_unfold_grad.h";
            /// The gradients of the norm of groups of channels followed by Swish.
            operator aclnnGroupNormSwishGrad, aclnnGroupNormSwishGradGetWorkspaceSize(dy: tensor, mean: tensor, rstd: tensor, x: tensor, gamma: tensor, beta: tensor, numGroups: i64, dataFormatOptional: mut_text, swishScale: f64, dgammaIsRequire: bool, dbetaIsRequire: bool, dxOut: const_out_tensor, dgammaOut: const_out_tensor, dbetaOut: const_out_tensor) in "aclnn_group_norm_swish_grad.h";
            /// The gradients of `input * (1 + scale) + shift` of each batch.
            #[newer]
            operator aclnnModulateBackward, aclnnModulateBackwardGetWorkspaceSize(grad_output: tensor, input: tensor, scale: tensor, shift: tensor, grad_input: const_out_tensor, grad_scale: const_out_tensor, grad_shift: const_out_tensor) in "aclnn_modulate_backward.h";
            /// The gradient of rows that were sorted by their experts.
            operator aclnnMoeInitRoutingV2Grad, aclnnMoeInitRoutingV2GradGetWorkspaceSize(gradExpandedX: tensor, expandedRowIdx: tensor, topK: i64, dropPadMode: i64, activeNum: i64, out: const_out_tensor) in "aclnn_moe_init_routing_v2_grad.h";
            /// The figures of channels from the sums of several cards, and their running means, in place.
            operator aclnnSyncBatchNormGatherStats, aclnnSyncBatchNormGatherStatsGetWorkspaceSize(totalSum: tensor, totalSquareSum: tensor, sampleCount: tensor, mean: inout_tensor, variance: inout_tensor, momentum: f32, eps: f32, batchMean: out_tensor, batchInvstd: out_tensor) in "aclnn_sync_batch_norm_gather_stats.h";
            /// The gradient of the arc cosine.
            #[newer]
            operator aclnnAcosGrad, aclnnAcosGradGetWorkspaceSize(y_grad: tensor, x: tensor, x_grad: const_out_tensor) in "aclnn_acos_grad.h";
            /// The gradient of the arc cosine, with the operands in the other order.
            #[newer]
            operator aclnnAcosGradV2, aclnnAcosGradV2GetWorkspaceSize(y: tensor, dy: tensor, z: const_out_tensor) in "aclnn_acos_grad_v2.h";
            /// The gradient of the inverse hyperbolic cosine, from its result.
            #[newer]
            operator aclnnAcoshGrad, aclnnAcoshGradGetWorkspaceSize(y: tensor, dy: tensor, dx: out_tensor) in "aclnn_acosh_grad.h";
            /// The gradient of the arc sine.
            #[newer]
            operator aclnnAsinGrad, aclnnAsinGradGetWorkspaceSize(y: tensor, dy: tensor, z: out_tensor) in "aclnn_asin_grad.h";
            /// The gradient of the inverse hyperbolic sine, from its result.
            #[newer]
            operator aclnnAsinhGrad, aclnnAsinhGradGetWorkspaceSize(y: tensor, dy: tensor, z: out_tensor) in "aclnn_asinh_grad.h";
            /// The gradient of the arc tangent.
            #[newer]
            operator aclnnAtanGrad, aclnnAtanGradGetWorkspaceSize(x: tensor, dy: tensor, dx: const_out_tensor) in "aclnn_atan_grad.h";
            /// The gradient of the square root, from its result.
            #[newer]
            operator aclnnSqrtBackward, aclnnSqrtBackwardGetWorkspaceSize(y: tensor, dy: tensor, z: out_tensor) in "aclnn_sqrt_backward.h";
            /// The gradient of 1 divided by the square root, from its result.
            #[newer]
            operator aclnnRsqrtGrad, aclnnRsqrtGradGetWorkspaceSize(y: tensor, dy: tensor, z: const_out_tensor) in "aclnn_rsqrt_grad.h";
            /// The gradient of 1 divided by a number, from its result.
            #[newer]
            operator aclnnInvGrad, aclnnInvGradGetWorkspaceSize(y: tensor, dy: tensor, dx: const_out_tensor) in "aclnn_inv_grad.h";
            /// The gradient of the hyperbolic tangent, from its result.
            #[newer]
            operator aclnnTanhGrad, aclnnTanhGradGetWorkspaceSize(y: tensor, dy: tensor, dx: out_tensor) in "aclnn_tanh_grad.h";
            /// The gradient `y` where `x` is above 0, with broadcasting.
            #[newer]
            operator aclnnReluGradV3, aclnnReluGradV3GetWorkspaceSize(x: tensor, y: tensor, z: out_tensor) in "aclnn_relu_grad_v3.h";
            /// The gradient where a number is above a threshold.
            #[newer]
            operator aclnnReluGradV4, aclnnReluGradV4GetWorkspaceSize(gradOutput: tensor, self_: tensor, threshold: scalar, out: out_tensor) in "aclnn_relu_grad_v4.h";
            /// The gradient of `x / (1 + abs(x))`.
            #[newer]
            operator aclnnSoftsignBackward, aclnnSoftsignBackwardGetWorkspaceSize(gradients: tensor, features: tensor, out: const_out_tensor) in "aclnn_softsign_backward.h";
            /// The gradient of the softmax along the last dimension, from its result.
            #[newer]
            operator aclnnSoftmaxGrad, aclnnSoftmaxGradGetWorkspaceSize(y: tensor, dy: tensor, dx: out_tensor) in "aclnn_softmax_grad.h";
            /// The gradient of e to the power of sums, from its result.
            operator aclnnExpSegsumBackward, aclnnExpSegsumBackwardGetWorkspaceSize(gradOutput: tensor, gradSelf: tensor, gradInput: out_tensor) in "aclnn_exp_segsum_backward.h";
            /// The gradients of a convolution along the first dimension.
            operator aclnnConvTbcBackward, aclnnConvTbcBackwardGetWorkspaceSize(self_: tensor, input: tensor, weight: tensor, bias: tensor, pad: i64, cubeMathType: i8, gradInput: out_tensor, gradWeight: out_tensor, gradBias: out_tensor) in "aclnn_convolution_backward.h";
            /// The gradients of the squares of distances to the nearest points.
            operator aclnnChamferDistanceBackward, aclnnChamferDistanceBackwardGetWorkspaceSize(xyz1: tensor, xyz2: tensor, idx1: tensor, idx2: tensor, gradDist1: tensor, gradDist2: tensor, gradXyz1: out_tensor, gradXyz2: out_tensor) in "aclnn_chamfer_distance_backward.h";
            /// The sums of channels, and of their squares.
            operator aclnnBatchNormReduce, aclnnBatchNormReduceGetWorkspaceSize(x: tensor, sum: out_tensor, squareSum: out_tensor) in "aclnn_batch_norm_reduce.h";
            /// The gradients of the norm of rows with a scale and a shift for each batch.
            operator aclnnAdaLayerNormBackward, aclnnAdaLayerNormBackwardGetWorkspaceSize(gradOut: tensor, input: tensor, normalizedShape: int_array, rstd: tensor, mean: tensor, scale: tensor, shift: tensor, weightOptional: optional_tensor, biasOptional: optional_tensor, gradInputOut: out_tensor, gradScaleOut: out_tensor, gradShiftOut: out_tensor, gradWeightOut: out_tensor, gradBiasOut: out_tensor) in "aclnn_ada_layer_norm_backward.h";
            /// The sums of repeated parts.
            #[newer]
            operator aclnnRepeatInterleaveGrad, aclnnRepeatInterleaveGradGetWorkspaceSize(yGrad: tensor, repeats: tensor, axis: i64, out: const_out_tensor) in "aclnn_repeat_interleave_grad.h";
        } }
    };
}
