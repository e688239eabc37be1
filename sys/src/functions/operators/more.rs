//! Operators that fewer programs call. The module adds those of layers, and hands all of them over.

mod layers;

/// Calls `$callback!` with these operators, behind the tokens of `$context`, and behind other operators if there are any.
#[doc(hidden)]
#[macro_export]
macro_rules! operators_for_more {
    ($callback:path [$($context:tt)*] $($before:tt)*) => {
        $crate::operators_of_layers! { $callback [$($context)*] {
            $($before)*
            /// `max(self + alpha * other, 0)` with broadcasting.
            operator aclnnAddRelu, aclnnAddReluGetWorkspaceSize(self_: tensor, other: tensor, alpha: scalar, out: out_tensor) in "aclnn_add_relu.h";
            /// In place: `max(selfRef + alpha * other, 0)` with broadcasting.
            operator aclnnInplaceAddRelu, aclnnInplaceAddReluGetWorkspaceSize(selfRef: inout_tensor, other: tensor, alpha: scalar) in "aclnn_add_relu.h";
            /// The square of a number, or 0 where it is negative.
            operator aclnnSquaredRelu, aclnnSquaredReluGetWorkspaceSize(input: tensor, out: const_out_tensor) in "aclnn_squared_relu.h";
            /// `ln(x / (1 - x))`, where `x` is at least `eps` away from 0 and 1 if `eps` is not negative.
            operator aclnnLogit, aclnnLogitGetWorkspaceSize(input: tensor, eps: f64, out: const_out_tensor) in "aclnn_logit.h";
            /// The logarithm of the sigmoid. A card leaves `buffer` as it is.
            operator aclnnLogSigmoidForward, aclnnLogSigmoidForwardGetWorkspaceSize(self_: tensor, out: out_tensor, buffer: out_tensor) in "aclnn_logsigmoid.h";
            /// The bits of `self` moved up by `shiftBits`.
            operator aclnnLeftShift, aclnnLeftShiftGetWorkspaceSize(self_: tensor, shiftBits: tensor, out: out_tensor) in "aclnn_left_shift.h";
            /// The bits of `self` moved up by a number of the host.
            operator aclnnLeftShifts, aclnnLeftShiftsGetWorkspaceSize(self_: tensor, shiftBits: scalar, out: out_tensor) in "aclnn_left_shift.h";
            /// The bits of `input` moved down by `shiftBits`, with the sign in front.
            operator aclnnRightShift, aclnnRightShiftGetWorkspaceSize(input: tensor, shiftBits: tensor, out: const_out_tensor) in "aclnn_right_shift.h";
            /// The largest of the elements at the same place of many tensors.
            operator aclnnMaxN, aclnnMaxNGetWorkspaceSize(tensors: tensor_list, out: out_tensor) in "aclnn_maxn.h";
            /// The smallest of the elements at the same place of many tensors.
            operator aclnnMinN, aclnnMinNGetWorkspaceSize(tensors: tensor_list, out: out_tensor) in "aclnn_minn.h";
            /// The first half of a dimension times the sigmoid of the second one.
            operator aclnnGlu, aclnnGluGetWorkspaceSize(self_: tensor, dim: i64, out: const_out_tensor) in "aclnn_glu.h";
            /// One half of a tensor times the GELU of the other half.
            operator aclnnGeGlu, aclnnGeGluGetWorkspaceSize(self_: tensor, dim: i64, approximate: i64, out: out_tensor, outGelu: out_tensor) in "aclnn_geglu.h";
            /// The GELU of the first half of each row, times the second half.
            operator aclnnGeluMul, aclnnGeluMulGetWorkspaceSize(input: tensor, approximateOptional: mut_text, out: const_out_tensor) in "aclnn_gelu_mul.h";
            /// `self * (1 + scale) + shift` for each batch.
            operator aclnnModulate, aclnnModulateGetWorkspaceSize(self_: tensor, scaleOptional: optional_tensor, shiftOptional: optional_tensor, out: out_tensor) in "aclnn_modulate.h";
            /// `beta * self + alpha * vec1 * vec2`, the outer product of two vectors.
            operator aclnnAddr, aclnnAddrGetWorkspaceSize(self_: tensor, vec1: tensor, vec2: tensor, betaOptional: optional_scalar, alphaOptional: optional_scalar, out: out_tensor) in "aclnn_addr.h";
            /// In place: `beta * selfRef + alpha * vec1 * vec2`, the outer product of two vectors.
            operator aclnnInplaceAddr, aclnnInplaceAddrGetWorkspaceSize(selfRef: inout_tensor, vec1: tensor, vec2: tensor, betaOptional: optional_scalar, alphaOptional: optional_scalar) in "aclnn_addr.h";
            /// `beta * self + alpha * mat * vec`.
            operator aclnnAddmv, aclnnAddmvGetWorkspaceSize(self_: tensor, mat: tensor, vec: tensor, alpha: scalar, beta: scalar, out: out_tensor, cubeMathType: i8) in "aclnn_addmv.h";
            /// `beta * self + alpha` times the sum of the products of two batches of matrices.
            operator aclnnAddbmm, aclnnAddbmmGetWorkspaceSize(self_: tensor, batch1: tensor, batch2: tensor, beta: scalar, alpha: scalar, out: out_tensor, cubeMathType: i8) in "aclnn_addbmm.h";
            /// In place: `beta * selfRef + alpha` times the sum of the products of two batches of matrices.
            operator aclnnInplaceAddbmm, aclnnInplaceAddbmmGetWorkspaceSize(selfRef: inout_tensor, batch1: tensor, batch2: tensor, beta: scalar, alpha: scalar, cubeMathType: i8) in "aclnn_addbmm.h";
            /// `alpha * A * B + beta * C`, of matrices that may be transposed.
            operator aclnnGemm, aclnnGemmGetWorkspaceSize(A: tensor, B: tensor, C: tensor, alpha: f32, beta: f32, transA: i64, transB: i64, out: out_tensor, cubeMathType: i8) in "aclnn_gemm.h";
            /// The means over some dimensions; none means all of them, or no reduction.
            operator aclnnMeanV2, aclnnMeanV2GetWorkspaceSize(self_: tensor, dim: int_array, keepDim: bool, noopWithEmptyAxes: bool, out: out_tensor) in "aclnn_mean.h";
            /// The largest elements over some dimensions; none means all of them, or no reduction.
            operator aclnnMaxV2, aclnnMaxV2GetWorkspaceSize(self_: tensor, dims: int_array, keepDims: bool, noopWithEmptyDims: bool, out: out_tensor) in "aclnn_max_v2.h";
            /// The sums over some dimensions, where NaN counts as 0.
            operator aclnnReduceNansum, aclnnReduceNansumGetWorkspaceSize(self_: tensor, dim: int_array, keepDim: bool, dtype: aclDataType, out: out_tensor) in "aclnn_reduce_nansum.h";
            /// The logarithms of the sums over some dimensions.
            operator aclnnReduceLogSum, aclnnReduceLogSumGetWorkspaceSize(data: tensor, axes: int_array, keepDims: bool, noopWithEmptyAxes: bool, reduce: out_tensor) in "aclnn_reduce_log_sum.h";
            /// The smallest and the largest elements over some dimensions.
            operator aclnnAminmax, aclnnAminmaxGetWorkspaceSize(self_: tensor, dim: int_array, keepDim: bool, minOut: out_tensor, maxOut: out_tensor) in "aclnn_aminmax.h";
            /// The smallest and the largest element.
            operator aclnnAminmaxAll, aclnnAminmaxAllGetWorkspaceSize(self_: tensor, minOut: out_tensor, maxOut: out_tensor) in "aclnn_aminmax_all.h";
            /// The smallest and the largest elements along a dimension.
            operator aclnnAminmaxDim, aclnnAminmaxDimGetWorkspaceSize(self_: tensor, dim: i64, keepDim: bool, minOut: out_tensor, maxOut: out_tensor) in "aclnn_aminmax_dim.h";
            /// The variances and the means over some dimensions.
            operator aclnnVarMean, aclnnVarMeanGetWorkspaceSize(self_: tensor, dim: int_array, correction: i64, keepdim: bool, varOut: out_tensor, meanOut: out_tensor) in "aclnn_var_mean.h";
            /// The deviations and the means over some dimensions.
            operator aclnnStdMeanCorrection, aclnnStdMeanCorrectionGetWorkspaceSize(self_: tensor, dim: int_array, correction: i64, keepdim: bool, stdOut: out_tensor, meanOut: out_tensor) in "aclnn_std_mean_correction.h";
            /// The means of whole channels.
            operator aclnnGlobalAveragePool, aclnnGlobalAveragePoolGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_global_average_pool.h";
            /// The largest elements of whole channels.
            operator aclnnGlobalMaxPool, aclnnGlobalMaxPoolGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_global_max_pool.h";
            /// The norms of vectors over some dimensions.
            operator aclnnLinalgVectorNorm, aclnnLinalgVectorNormGetWorkspaceSize(self_: tensor, ord: scalar, dims: int_array, keepDims: bool, dtype: aclDataType, out: out_tensor) in "aclnn_linalg_vector_norm.h";
            /// The products of the elements up to each one.
            operator aclnnCumprod, aclnnCumprodGetWorkspaceSize(input: tensor, dim: scalar, dtype: aclDataType, out: out_tensor) in "aclnn_cumprod.h";
            /// In place: the products of the elements up to each one.
            operator aclnnInplaceCumprod, aclnnInplaceCumprodGetWorkspaceSize(input: inout_tensor, dim: scalar) in "aclnn_cumprod.h";
            /// The sums of the elements up to each one, without it if `exclusive`, and from the end if `reverse`.
            operator aclnnCumsumV2, aclnnCumsumV2GetWorkspaceSize(self_: tensor, dim: i64, exclusive: bool, reverse: bool, out: out_tensor) in "aclnn_cumsum.h";
            /// The largest of the elements up to each one, and its place.
            operator aclnnCummax, aclnnCummaxGetWorkspaceSize(self_: tensor, dim: i64, valuesOut: out_tensor, indicesOut: out_tensor) in "aclnn_cummax.h";
            /// The smallest of the elements up to each one, and its place.
            operator aclnnCummin, aclnnCumminGetWorkspaceSize(self_: tensor, dim: i64, valuesOut: out_tensor, indicesOut: out_tensor) in "aclnn_cummin.h";
            /// Numbers at equal distances from `start` to `end`.
            operator aclnnLinspace, aclnnLinspaceGetWorkspaceSize(start: scalar, end: scalar, steps: i64, out: out_tensor) in "aclnn_linspace.h";
            /// Fills the diagonal.
            operator aclnnInplaceFillDiagonal, aclnnInplaceFillDiagonalGetWorkspaceSize(selfRef: inout_tensor, fillValue: scalar, wrap: bool) in "aclnn_fill_diagonal.h";
            /// A matrix with these elements on a diagonal.
            operator aclnnDiagFlat, aclnnDiagFlatGetWorkspaceSize(self_: tensor, diagonal: i64, out: out_tensor) in "aclnn_diag_flat.h";
            /// A tensor as a matrix: the dimensions before `axis` and those from it on.
            operator aclnnFlatten, aclnnFlattenGetWorkspaceSize(self_: tensor, axis: i64, out: out_tensor) in "aclnn_flatten.h";
            /// Orders channels so that those of a group are apart.
            operator aclnnChannelShuffle, aclnnChannelShuffleGetWorkspaceSize(self_: tensor, groups: i64, out: out_tensor) in "aclnn_channel_shuffle.h";
            /// Parts of several dimensions.
            operator aclnnSliceV2, aclnnSliceV2GetWorkspaceSize(self_: tensor, starts: int_array, ends: int_array, axes: int_array, steps: int_array, out: out_tensor) in "aclnn_slice_v2.h";
            /// Reflects the last 2 dimensions at their ends.
            operator aclnnReflectionPad2d, aclnnReflectionPad2dGetWorkspaceSize(self_: tensor, padding: int_array, out: out_tensor) in "aclnn_reflection_pad2d.h";
            /// Reflects the last 3 dimensions at their ends.
            operator aclnnReflectionPad3d, aclnnReflectionPad3dGetWorkspaceSize(self_: tensor, padding: int_array, out: out_tensor) in "aclnn_reflection_pad3d.h";
            /// Repeats the ends of the last dimension.
            operator aclnnReplicationPad1d, aclnnReplicationPad1dGetWorkspaceSize(self_: tensor, padding: int_array, out: out_tensor) in "aclnn_replication_pad1d.h";
            /// Repeats the ends of the last 2 dimensions.
            operator aclnnReplicationPad2d, aclnnReplicationPad2dGetWorkspaceSize(self_: tensor, padding: int_array, out: out_tensor) in "aclnn_replication_pad2d.h";
            /// Repeats the ends of the last 3 dimensions.
            operator aclnnReplicationPad3d, aclnnReplicationPad3dGetWorkspaceSize(self_: tensor, padding: int_array, out: out_tensor) in "aclnn_replication_pad3d.h";
            /// Continues the last 2 dimensions with their other ends.
            operator aclnnCircularPad2d, aclnnCircularPad2dGetWorkspaceSize(self_: tensor, padding: int_array, out: out_tensor) in "aclnn_circular_pad2d.h";
            /// Continues the last 3 dimensions with their other ends.
            operator aclnnCircularPad3d, aclnnCircularPad3dGetWorkspaceSize(self_: tensor, padding: int_array, out: out_tensor) in "aclnn_circular_pad3d.h";
            /// Vectors of another length: the nearest elements.
            operator aclnnUpsampleNearest1d, aclnnUpsampleNearest1dGetWorkspaceSize(self_: tensor, outputSize: int_array, out: out_tensor) in "aclnn_upsample_nearest_1d.h";
            /// Vectors of another length: the nearest elements, with a scale.
            operator aclnnUpsampleNearest1dV2, aclnnUpsampleNearest1dV2GetWorkspaceSize(self_: tensor, outputSize: int_array, scaleL: f32, out: out_tensor) in "aclnn_upsample_nearest_1d_v2.h";
            /// Images of another size: the nearest elements, with scales.
            operator aclnnUpsampleNearest2dV2, aclnnUpsampleNearest2dV2GetWorkspaceSize(self_: tensor, outputSize: int_array, scalesH: f32, scalesW: f32, out: out_tensor) in "aclnn_upsample_nearest_2d_v2.h";
            /// Volumes of another size: the nearest elements.
            operator aclnnUpsampleNearest3d, aclnnUpsampleNearest3dGetWorkspaceSize(self_: tensor, outputSize: int_array, scalesD: f64, scalesH: f64, scalesW: f64, out: out_tensor) in "aclnn_upsample_nearest_3d.h";
            /// Vectors of another length: the elements whose centers are nearest.
            operator aclnnUpsampleNearestExact1d, aclnnUpsampleNearestExact1dGetWorkspaceSize(self_: tensor, outputSize: int_array, scales: f64, out: out_tensor) in "aclnn_upsample_nearest_exact1d.h";
            /// Images of another size: the elements whose centers are nearest.
            operator aclnnUpsampleNearestExact2d, aclnnUpsampleNearestExact2dGetWorkspaceSize(self_: tensor, outputSize: int_array, scalesH: f64, scalesW: f64, out: out_tensor) in "aclnn_upsample_nearest_exact2d.h";
            /// Volumes of another size: the elements whose centers are nearest.
            operator aclnnUpsampleNearestExact3d, aclnnUpsampleNearestExact3dGetWorkspaceSize(self_: tensor, outputSize: int_array, scalesD: f64, scalesH: f64, scalesW: f64, out: out_tensor) in "aclnn_upsample_nearest_exact3d.h";
            /// Vectors of another length by linear interpolation.
            operator aclnnUpsampleLinear1d, aclnnUpsampleLinear1dGetWorkspaceSize(self_: tensor, outputSize: int_array, alignCorners: bool, scale: f64, out: out_tensor) in "aclnn_upsample_linear_1d.h";
            /// Volumes of another size by linear interpolation.
            operator aclnnUpsampleTrilinear3d, aclnnUpsampleTrilinear3dGetWorkspaceSize(self_: tensor, outputSize: int_array, alignCorners: bool, scalesD: f64, scalesH: f64, scalesW: f64, out: out_tensor) in "aclnn_upsample_trilinear_3d.h";
            /// Images of another size by cubic interpolation.
            operator aclnnUpsampleBicubic2d, aclnnUpsampleBicubic2dGetWorkspaceSize(self_: tensor, outputSize: int_array, alignCorners: bool, scalesH: f64, scalesW: f64, out: out_tensor) in "aclnn_upsample_bicubic_2d.h";
            /// Images of another size by cubic interpolation over all elements that become one.
            operator aclnnUpsampleBicubic2dAA, aclnnUpsampleBicubic2dAAGetWorkspaceSize(self_: tensor, outputSize: int_array, alignCorners: bool, scalesH: f64, scalesW: f64, out: out_tensor) in "aclnn_upsample_bicubic2d_aa.h";
            /// Images of another size by linear interpolation over all elements that become one.
            operator aclnnUpsampleBilinear2dAA, aclnnUpsampleBilinear2dAAGetWorkspaceSize(input: tensor, outputSize: int_array, alignCorners: bool, scalesH: f64, scalesW: f64, out: out_tensor) in "aclnn_upsample_bilinear2d_aa.h";
            /// The means of blocks of volumes.
            operator aclnnAdaptiveAvgPool3d, aclnnAdaptiveAvgPool3dGetWorkspaceSize(self_: tensor, outputSize: int_array, out: out_tensor) in "aclnn_adaptive_avg_pool3d.h";
            /// The means of the elements under a window.
            operator aclnnAvgPool3d, aclnnAvgPool3dGetWorkspaceSize(self_: tensor, kernelSize: int_array, stride: int_array, padding: int_array, ceilMode: bool, countIncludePad: bool, divisorOverride: i64, out: out_tensor) in "aclnn_avgpool3d.h";
            /// The largest elements of blocks of images, and where they stand.
            operator aclnnAdaptiveMaxPool2d, aclnnAdaptiveMaxPool2dGetWorkspaceSize(self_: tensor, outputSize: int_array, outputOut: out_tensor, indicesOut: out_tensor) in "aclnn_adaptive_max_pool2d.h";
            /// The largest elements of blocks of volumes, and where they stand.
            operator aclnnAdaptiveMaxPool3d, aclnnAdaptiveMaxPool3dGetWorkspaceSize(self_: tensor, outputSize: int_array, outputOut: out_tensor, indicesOut: out_tensor) in "aclnn_adaptive_max_pool3d.h";
            /// The largest elements under a window, and where they stand.
            operator aclnnMaxPool3dWithArgmax, aclnnMaxPool3dWithArgmaxGetWorkspaceSize(self_: tensor, kernelSize: int_array, stride: int_array, padding: int_array, dilation: int_array, ceilMode: bool, out: out_tensor, indices: out_tensor) in "aclnn_max_pool3d_with_argmax.h";
            /// Zeros, and the elements at the places of an image that the indices name.
            operator aclnnMaxUnpool2d, aclnnMaxUnpool2dGetWorkspaceSize(self_: tensor, indices: tensor, outputSize: int_array, out: out_tensor) in "aclnn_max_unpool2d.h";
            /// Zeros, and the elements at the places of a volume that the indices name.
            operator aclnnMaxUnpool3d, aclnnMaxUnpool3dGetWorkspaceSize(self_: tensor, indices: tensor, outputSize: int_array, stride: int_array, padding: int_array, outRef: out_tensor) in "aclnn_max_unpool3d.h";
            /// The `k`-th smallest elements along a dimension, and where they stand.
            operator aclnnKthvalue, aclnnKthvalueGetWorkspaceSize(self_: tensor, k: i64, dim: i64, keepdim: bool, valuesOut: out_tensor, indicesOut: out_tensor) in "aclnn_kthvalue.h";
            /// The median of all elements.
            operator aclnnMedian, aclnnMedianGetWorkspaceSize(self_: tensor, valuesOut: out_tensor) in "aclnn_median.h";
            /// The medians along a dimension, and where they stand.
            operator aclnnMedianDim, aclnnMedianDimGetWorkspaceSize(self_: tensor, dim: i64, keepDim: bool, valuesOut: out_tensor, indicesOut: out_tensor) in "aclnn_median.h";
            /// The median of all elements that are numbers.
            operator aclnnNanMedian, aclnnNanMedianGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_median.h";
            /// The medians of the numbers along a dimension, and where they stand.
            operator aclnnNanMedianDim, aclnnNanMedianDimGetWorkspaceSize(self_: tensor, dim: i64, keepDim: bool, valuesOut: out_tensor, indicesOut: out_tensor) in "aclnn_median.h";
            /// How often each number comes, or the sum of its weights.
            operator aclnnBincount, aclnnBincountGetWorkspaceSize(self_: tensor, weights: optional_tensor, minlength: i64, out: out_tensor) in "aclnn_bincount.h";
            /// How many elements lie in each part of a range.
            operator aclnnHistc, aclnnHistcGetWorkspaceSize(self_: tensor, bins: i64, min: scalar, max: scalar, out: out_tensor) in "aclnn_histc.h";
            /// Where elements would stand among sorted ones.
            operator aclnnSearchSorted, aclnnSearchSortedGetWorkspaceSize(sortedSequence: tensor, self_: tensor, outInt32: bool, right: bool, sorter: optional_tensor, out: out_tensor) in "aclnn_searchsorted.h";
            /// Where a number of the host would stand among sorted ones.
            operator aclnnSearchSorteds, aclnnSearchSortedsGetWorkspaceSize(sortedSequence: tensor, self_: scalar, outInt32: bool, right: bool, sorter: optional_tensor, out: out_tensor) in "aclnn_searchsorted.h";
            /// The part between boundaries in which each element lies.
            operator aclnnBucketize, aclnnBucketizeGetWorkspaceSize(self_: tensor, boundaries: tensor, outInt32: bool, right: bool, out: out_tensor) in "aclnn_bucketize.h";
            /// Elements of a tensor as one row.
            operator aclnnTake, aclnnTakeGetWorkspaceSize(self_: tensor, index: tensor, out: out_tensor) in "aclnn_take.h";
            /// Parts that rows of indices name.
            operator aclnnGatherNd, aclnnGatherNdGetWorkspaceSize(self_: tensor, indices: tensor, negativeIndexSupport: bool, out: out_tensor) in "aclnn_gather_nd.h";
            /// Stores or adds elements in a tensor as one row.
            operator aclnnInplacePut, aclnnInplacePutGetWorkspaceSize(selfRef: inout_tensor, index: tensor, source: tensor, accumulate: bool) in "aclnn_put.h";
            /// Stores elements one after the other where a mask is true.
            operator aclnnInplaceMaskedScatter, aclnnInplaceMaskedScatterGetWorkspaceSize(selfRef: inout_tensor, mask: tensor, source: tensor) in "aclnn_masked_scatter.h";
            /// A tensor with a number of the host at the places that indices name.
            operator aclnnScatterValue, aclnnScatterValueGetWorkspaceSize(self_: tensor, dim: i64, index: tensor, value: scalar, reduce: i64, out: out_tensor) in "aclnn_scatter.h";
            /// In place: a number of the host at the places that indices name.
            operator aclnnInplaceScatterValue, aclnnInplaceScatterValueGetWorkspaceSize(selfRef: inout_tensor, dim: i64, index: tensor, value: scalar, reduce: i64) in "aclnn_scatter.h";
            /// Each element as often as its number says.
            operator aclnnRepeatInterleave, aclnnRepeatInterleaveGetWorkspaceSize(self_: tensor, repeats: tensor, outputSize: i64, out: out_tensor) in "aclnn_repeat_interleave.h";
            /// Each part of a dimension as often as its number says.
            operator aclnnRepeatInterleaveWithDim, aclnnRepeatInterleaveWithDimGetWorkspaceSize(self_: tensor, repeats: tensor, dim: i64, outputSize: i64, out: out_tensor) in "aclnn_repeat_interleave.h";
            /// Each element equally often.
            operator aclnnRepeatInterleaveInt, aclnnRepeatInterleaveIntGetWorkspaceSize(self_: tensor, repeats: i64, outputSize: i64, out: out_tensor) in "aclnn_repeat_interleave.h";
            /// The index of each number, as often as the number says.
            operator aclnnRepeatInterleaveTensor, aclnnRepeatInterleaveTensorGetWorkspaceSize(repeats: tensor, outputSize: i64, out: out_tensor) in "aclnn_repeat_interleave.h";
            /// Adds parts at indices of a dimension.
            operator aclnnIndexAddV2, aclnnIndexAddV2GetWorkspaceSize(self_: tensor, dim: i64, index: tensor, source: tensor, alpha: scalar, mode: i64, out: out_tensor) in "aclnn_index_add_v2.h";
            /// The parts of a dimension that indices name.
            operator aclnnGatherV3, aclnnGatherV3GetWorkspaceSize(self_: tensor, dim: i64, index: tensor, batchDims: i64, mode: i64, out: out_tensor) in "aclnn_gather_v3.h";
            /// Normalizes over the last dimensions, in a way that `implMode` names.
            operator aclnnLayerNormWithImplMode, aclnnLayerNormWithImplModeGetWorkspaceSize(input: tensor, normalizedShape: int_array, weightOptional: optional_tensor, biasOptional: optional_tensor, eps: f64, out: out_tensor, meanOutOptional: optional_out_tensor, rstdOutOptional: optional_out_tensor, implMode: i32) in "aclnn_layer_norm.h";
            /// Normalizes over the last dimensions.
            operator aclnnFastLayerNorm, aclnnFastLayerNormGetWorkspaceSize(input: tensor, normalizedShape: int_array, weightOptional: optional_tensor, biasOptional: optional_tensor, eps: f64, out: out_tensor, meanOutOptional: optional_out_tensor, rstdOutOptional: optional_out_tensor) in "aclnn_layer_norm.h";
            /// The positions of the elements that are not 0, a column for each.
            operator aclnnNonzeroV2, aclnnNonzeroV2GetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_nonzero_v2.h";
            /// The different elements.
            operator aclnnUnique, aclnnUniqueGetWorkspaceSize(self_: tensor, sorted: bool, returnInverse: bool, valueOut: out_tensor, inverseOut: out_tensor) in "aclnn_unique.h";
            /// The elements that differ from the one in front of them.
            operator aclnnUniqueConsecutive, aclnnUniqueConsecutiveGetWorkspaceSize(self_: tensor, returnInverse: bool, returnCounts: bool, dim: i64, valueOut: out_tensor, inverseOut: out_tensor, countsOut: out_tensor) in "aclnn_unique_consecutive.h";
            /// Quantizes with scales of the last dimension.
            operator aclnnAscendQuant, aclnnAscendQuantGetWorkspaceSize(x: tensor, scale: tensor, offset: optional_tensor, sqrtMode: bool, roundMode: text, dstType: i32, y: const_out_tensor) in "aclnn_ascend_quant.h";
            /// The product of a matrix and quantized weights.
            operator aclnnWeightQuantBatchMatmulV3, aclnnWeightQuantBatchMatmulV3GetWorkspaceSize(x: tensor, weight: tensor, antiquantScale: tensor, antiquantOffsetOptional: optional_tensor, quantScaleOptional: optional_tensor, quantOffsetOptional: optional_tensor, biasOptional: optional_tensor, antiquantGroupSize: c_int, innerPrecise: c_int, y: const_out_tensor) in "aclnn_weight_quant_batch_matmul_v3.h";
            /// The product of quantized matrices, of which one is in a fractal format.
            operator aclnnQuantMatmulWeightNz, aclnnQuantMatmulWeightNzGetWorkspaceSize(x1: tensor, x2: tensor, x1Scale: optional_tensor, x2Scale: optional_tensor, yScale: optional_tensor, x1Offset: optional_tensor, x2Offset: optional_tensor, yOffset: optional_tensor, bias: optional_tensor, transposeX1: bool, transposeX2: bool, groupSize: i64, out: out_tensor) in "aclnn_quant_matmul_weight_nz.h";
            /// Scales in the form of 64 bits that a matrix unit reads.
            operator aclnnTransQuantParamV2, aclnnTransQuantParamV2GetWorkspaceSize(scale: tensor, offset: optional_tensor, out: const_out_tensor) in "aclnn_trans_quant_param_v2.h";
            /// Scales in the form of 64 bits that a matrix unit reads, rounded in a way.
            operator aclnnTransQuantParamV3, aclnnTransQuantParamV3GetWorkspaceSize(scale: tensor, offset: optional_tensor, roundMode: i64, out: const_out_tensor) in "aclnn_trans_quant_param_v3.h";
            /// The product of quantized matrices.
            operator aclnnQuantMatmulV3, aclnnQuantMatmulV3GetWorkspaceSize(x1: tensor, x2: tensor, scale: tensor, offset: optional_tensor, bias: optional_tensor, transposeX1: bool, transposeX2: bool, out: const_out_tensor) in "aclnn_quant_matmul_v3.h";
            /// The product of quantized matrices, with scales of rows and columns.
            operator aclnnQuantMatmulV5, aclnnQuantMatmulV5GetWorkspaceSize(x1: tensor, x2: tensor, x1Scale: optional_tensor, x2Scale: tensor, yScale: optional_tensor, x1Offset: optional_tensor, x2Offset: optional_tensor, yOffset: optional_tensor, bias: optional_tensor, transposeX1: bool, transposeX2: bool, groupSize: i64, out: out_tensor) in "aclnn_quant_matmul_v5.h";
            /// Quantized numbers as real ones.
            operator aclnnAscendAntiQuant, aclnnAscendAntiQuantGetWorkspaceSize(x: tensor, scale: tensor, offset: optional_tensor, dstType: i64, sqrtMode: bool, y: const_out_tensor) in "aclnn_ascend_anti_quant.h";
            /// Sums of products of bytes as real numbers, with a bias.
            operator aclnnDequantBias, aclnnDequantBiasGetWorkspaceSize(x: tensor, weightScale: tensor, activateScaleOptional: optional_tensor, biasOptional: optional_tensor, outputDtype: i64, out: const_out_tensor) in "aclnn_dequant_bias.h";
            /// Divides by the root of the mean of squares, with weights that are 1 more.
            operator aclnnGemmaRmsNorm, aclnnGemmaRmsNormGetWorkspaceSize(x: tensor, gamma: tensor, epsilon: f64, yOut: const_out_tensor, rstdOut: const_out_tensor) in "aclnn_gemma_rms_norm.h";
            /// Normalizes a sum, and gives the result also as `f32`.
            operator aclnnAddRmsNormCast, aclnnAddRmsNormCastGetWorkspaceSize(x1: tensor, x2: tensor, gamma: tensor, epsilon: f64, y1Out: const_out_tensor, y2Out: const_out_tensor, rstdOut: const_out_tensor, xOut: const_out_tensor) in "aclnn_add_rms_norm_cast.h";
            /// In place: normalizes a sum, and stores the sum in the second operand.
            operator aclnnInplaceAddRmsNorm, aclnnInplaceAddRmsNormGetWorkspaceSize(x1Ref: inout_tensor, x2Ref: inout_tensor, gamma: tensor, epsilon: f64, rstdOut: const_out_tensor) in "aclnn_inplace_add_rms_norm.h";
            /// Normalizes groups of channels, followed by SiLU.
            operator aclnnGroupNormSilu, aclnnGroupNormSiluGetWorkspaceSize(self_: tensor, gamma: optional_tensor, beta: optional_tensor, group: i64, eps: f64, out: out_tensor, meanOut: out_tensor, rstdOut: out_tensor) in "aclnn_group_norm_silu.h";
            /// Normalizes groups of channels, followed by SiLU if wanted.
            operator aclnnGroupNormSiluV2, aclnnGroupNormSiluV2GetWorkspaceSize(self_: tensor, gamma: optional_tensor, beta: optional_tensor, group: i64, eps: f64, activateSilu: bool, out: out_tensor, meanOut: out_tensor, rstdOut: out_tensor) in "aclnn_group_norm_silu.h";
            /// The `k` experts of each row with the largest softmax.
            operator aclnnMoeGatingTopKSoftmax, aclnnMoeGatingTopKSoftmaxGetWorkspaceSize(x: tensor, finishedOptional: optional_tensor, k: i64, yOut: const_out_tensor, expertIdxOut: const_out_tensor, rowIdxOut: const_out_tensor) in "aclnn_moe_gating_top_k_softmax.h";
            /// Sorts rows by their experts.
            operator aclnnMoeInitRoutingV2, aclnnMoeInitRoutingV2GetWorkspaceSize(x: tensor, expertIdx: tensor, activeNumOptional: i64, expertCapacityOptional: i64, expertNumOptional: i64, dropPadModeOptional: i64, expertTokensCountOrCumsumFlagOptional: i64, expertTokensBeforeCapacityFlagOptional: bool, expandedXOut: const_out_tensor, expandedRowIdxOut: const_out_tensor, expertTokensCountOrCumsumOutOptional: optional_const_out_tensor, expertTokensBeforeCapacityOutOptional: optional_const_out_tensor) in "aclnn_moe_init_routing_v2.h";
            /// Sorts tokens by their experts.
            operator aclnnMoeTokenPermute, aclnnMoeTokenPermuteGetWorkspaceSize(tokens: tensor, indices: tensor, numOutTokens: i64, paddedMode: bool, permuteTokensOut: const_out_tensor, sortedIndicesOut: const_out_tensor) in "aclnn_moe_token_permute.h";
            /// Returns tokens that were sorted by their experts to their order, and weighs them.
            operator aclnnMoeTokenUnpermute, aclnnMoeTokenUnpermuteGetWorkspaceSize(permutedTokens: tensor, sortedIndices: tensor, probsOptional: optional_tensor, paddedMode: bool, restoreShapeOptional: optional_int_array, out: const_out_tensor) in "aclnn_moe_token_unpermute.h";
            /// Products of many pairs of matrices.
            operator aclnnGroupedMatmulV4, aclnnGroupedMatmulV4GetWorkspaceSize(x: tensor_list, weight: tensor_list, biasOptional: optional_tensor_list, scaleOptional: optional_tensor_list, offsetOptional: optional_tensor_list, antiquantScaleOptional: optional_tensor_list, antiquantOffsetOptional: optional_tensor_list, perTokenScaleOptional: optional_tensor_list, groupListOptional: optional_tensor, activationInputOptional: optional_tensor_list, activationQuantScaleOptional: optional_tensor_list, activationQuantOffsetOptional: optional_tensor_list, splitItem: i64, groupType: i64, groupListType: i64, actType: i64, out: out_tensor_list, activationFeatureOutOptional: optional_out_tensor_list, dynQuantScaleOutOptional: optional_out_tensor_list) in "aclnn_grouped_matmul_v4.h";
            /// The numbers of images at the places of a grid.
            operator aclnnGridSampler2D, aclnnGridSampler2DGetWorkspaceSize(input: tensor, grid: tensor, interpolationMode: i64, paddingMode: i64, alignCorners: bool, out: out_tensor) in "aclnn_grid_sampler2d.h";
            /// The numbers of volumes at the places of a grid.
            operator aclnnGridSampler3D, aclnnGridSampler3DGetWorkspaceSize(input: tensor, grid: tensor, interpolationMode: i64, paddingMode: i64, alignCorners: bool, out: out_tensor) in "aclnn_grid_sampler3d.h";
            /// The numbers of boxes in images, whose numbers are beside them.
            operator aclnnRoiAlign, aclnnRoiAlignGetWorkspaceSize(self_: tensor, rois: tensor, batchIndices: tensor, mode: text, outputHeight: c_int, outputWidth: c_int, samplingRatio: c_int, spatialScale: f32, out: out_tensor) in "aclnn_roi_align.h";
            /// The numbers of boxes in images, whose numbers are the first ones of the boxes.
            #[newer]
            operator aclnnRoiAlignV2, aclnnRoiAlignV2GetWorkspaceSize(self_: tensor, boxes: tensor, pooledHeight: i64, pooledWidth: i64, spatialScale: f32, samplingRatio: i64, aligned: bool, out: out_tensor) in "aclnn_roi_align_v2.h";
            /// Normalizes each channel of each image.
            operator aclnnInstanceNorm, aclnnInstanceNormGetWorkspaceSize(x: tensor, gamma: tensor, beta: tensor, dataFormat: text, eps: f64, y: out_tensor, mean: out_tensor, variance: out_tensor) in "aclnn_instance_norm.h";
            /// Normalizes a sum, one of whose terms is scaled.
            operator aclnnDeepNorm, aclnnDeepNormGetWorkspaceSize(x: tensor, gx: tensor, beta: tensor, gamma: tensor, alpha: f64, epsilon: f64, meanOut: const_out_tensor, rstdOut: const_out_tensor, yOut: const_out_tensor) in "aclnn_deep_norm.h";
            /// Bytes for the elements of each row, with the scale and the offset of each row.
            operator aclnnDynamicQuantV2, aclnnDynamicQuantV2GetWorkspaceSize(x: tensor, smoothScalesOptional: optional_tensor, groupIndexOptional: optional_tensor, dstType: i64, yOut: const_out_tensor, scaleOut: const_out_tensor, offsetOut: optional_const_out_tensor) in "aclnn_dynamic_quant_v2.h";
            /// The SwiGLU of sums of products of bytes, as bytes with the scale of each row.
            operator aclnnDequantSwigluQuant, aclnnDequantSwigluQuantGetWorkspaceSize(x: tensor, weightScaleOptional: optional_tensor, activationScaleOptional: optional_tensor, biasOptional: optional_tensor, quantScaleOptional: optional_tensor, quantOffsetOptional: optional_tensor, groupIndexOptional: optional_tensor, activateLeft: bool, quantModeOptional: mut_text, yOut: const_out_tensor, scaleOut: const_out_tensor) in "aclnn_dequant_swiglu_quant.h";
            /// Trace of a matrix.
            operator aclnnTrace, aclnnTraceGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_trace.h";
            /// Diagonal of a matrix, or a matrix with one.
            operator aclnnDiag, aclnnDiagGetWorkspaceSize(self_: tensor, diagonal: i64, out: out_tensor) in "aclnn_diag.h";
            /// Products of vectors of three numbers.
            operator aclnnLinalgCross, aclnnLinalgCrossGetWorkspaceSize(self_: tensor, other: tensor, dim: i64, out: out_tensor) in "aclnn_linalg_cross.h";
            /// Distances of each pair of rows.
            operator aclnnCdist, aclnnCdistGetWorkspaceSize(x1: tensor, x2: tensor, p: f32, compute_mode: i64, out: out_tensor) in "aclnn_cdist.h";
            /// Parts whose norm is limited.
            operator aclnnRenorm, aclnnRenormGetWorkspaceSize(self_: tensor, p: scalar, dim: i64, maxNorm: scalar, out: out_tensor) in "aclnn_renorm.h";
            /// Parts whose norm is limited, in place.
            operator aclnnInplaceRenorm, aclnnInplaceRenormGetWorkspaceSize(selfRef: inout_tensor, p: scalar, dim: i64, maxNorm: scalar) in "aclnn_renorm.h";
            /// Variance over dimensions, with a correction.
            operator aclnnVarCorrection, aclnnVarCorrectionGetWorkspaceSize(self_: tensor, dim: int_array, correction: i64, keepdim: bool, out: out_tensor) in "aclnn_var.h";
            /// Rows of experts that come back to their tokens.
            operator aclnnMoeFinalizeRoutingV2, aclnnMoeFinalizeRoutingV2GetWorkspaceSize(expandedX: tensor, expandedRowIdx: tensor, x1Optional: optional_tensor, x2Optional: optional_tensor, biasOptional: optional_tensor, scalesOptional: optional_tensor, expertIdxOptional: optional_tensor, dropPadMode: i64, out: const_out_tensor) in "aclnn_moe_finalize_routing_v2.h";
            /// Norm over groups of channels, and Swish.
            operator aclnnGroupNormSwish, aclnnGroupNormSwishGetWorkspaceSize(x: tensor, gamma: tensor, beta: tensor, numGroups: i64, dataFormatOptional: mut_text, eps: f64, activateSwish: bool, swishScale: f64, yOut: const_out_tensor, meanOut: const_out_tensor, rstdOut: const_out_tensor) in "aclnn_group_norm_swish.h";
            /// SwiGLU of rows, as bytes with scales.
            #[newer]
            operator aclnnSwiGluQuant, aclnnSwiGluQuantGetWorkspaceSize(x: tensor, smoothScalesOptional: optional_tensor, offsetsOptional: optional_tensor, groupIndexOptional: optional_tensor, activateLeft: bool, quantModeOptional: mut_text, yOut: const_out_tensor, scaleOut: const_out_tensor) in "aclnn_swi_glu_quant.h";
            /// A copy of `data` with parts of `updates` at positions.
            operator aclnnScatterNd, aclnnScatterNdGetWorkspaceSize(data: tensor, indices: tensor, updates: tensor, out: out_tensor) in "aclnn_scatter_nd.h";
            /// In place: rows or parts added at places that the indices name.
            #[newer]
            operator aclnnTfScatterAdd, aclnnTfScatterAddGetWorkspaceSize(varRef: inout_tensor, indices: tensor, updates: tensor) in "aclnn_tf_scatter_add.h";
            /// In place: rows multiplied with those of `updates` at places that the indices name.
            #[newer]
            operator aclnnScatterMul, aclnnScatterMulGetWorkspaceSize(varRef: inout_tensor, indices: tensor, updates: tensor, useLocking: bool) in "aclnn_scatter_mul.h";
            /// In place: rows divided by those of `updates` at places that the indices name.
            #[newer]
            operator aclnnScatterDiv, aclnnScatterDivGetWorkspaceSize(varRef: inout_tensor, indices: tensor, updates: tensor, useLocking: bool) in "aclnn_scatter_div.h";
            /// In place: the larger elements of rows and of those of `updates` at places that the indices name.
            #[newer]
            operator aclnnScatterMax, aclnnScatterMaxGetWorkspaceSize(varRef: inout_tensor, indices: tensor, updates: tensor, useLocking: bool) in "aclnn_scatter_max.h";
            /// In place: the smaller elements of rows and of those of `updates` at places that the indices name.
            #[newer]
            operator aclnnScatterMin, aclnnScatterMinGetWorkspaceSize(varRef: inout_tensor, indices: tensor, updates: tensor, useLocking: bool) in "aclnn_scatter_min.h";
            /// `source` at the indices of a dimension, in a copy.
            operator aclnnIndexCopy, aclnnIndexCopyGetWorkspaceSize(selfRef: mut_tensor, dim: i64, index: tensor, source: tensor, outRef: out_tensor) in "aclnn_index_copy.h";
            /// One value at the indices of a dimension, in a copy.
            #[newer]
            operator aclnnIndexFill, aclnnIndexFillGetWorkspaceSize(self_: tensor, dim: i64, index: tensor, value: scalar, out: out_tensor) in "aclnn_index_fill.h";
            /// In place: one value at the indices of a dimension.
            #[newer]
            operator aclnnInplaceIndexFill, aclnnInplaceIndexFillGetWorkspaceSize(selfRef: inout_tensor, dim: i64, index: tensor, value: scalar) in "aclnn_index_fill.h";
            /// One value at indices of the host in a dimension, in a copy.
            operator aclnnIndexFillTensor, aclnnIndexFillTensorGetWorkspaceSize(self_: tensor, dim: i64, index: int_array, value: scalar, out: out_tensor) in "aclnn_index_fill_tensor.h";
            /// In place: limits the norms of the rows that the indices name.
            operator aclnnEmbeddingRenorm, aclnnEmbeddingRenormGetWorkspaceSize(selfRef: inout_tensor, indices: tensor, maxNorm: f64, normType: f64) in "aclnn_embedding_renorm.h";
            /// In place: random whole numbers from `from` up to `to`, without it.
            operator aclnnInplaceRandom, aclnnInplaceRandomGetWorkspaceSize(selfRef: const_inout_tensor, from: i64, to: i64, seed: i64, offset: i64) in "aclnn_random.h";
            /// In place: random whole numbers from `from` up to `to`, without it; the seed is a tensor.
            #[newer]
            operator aclnnInplaceRandomTensor, aclnnInplaceRandomTensorGetWorkspaceSize(selfRef: const_inout_tensor, from: i64, to: i64, seedTensor: tensor, offsetTensor: tensor, offset: i64) in "aclnn_random.h";
            /// In place: random numbers of a normal distribution; the seed is a tensor.
            #[newer]
            operator aclnnInplaceNormalTensor, aclnnInplaceNormalTensorGetWorkspaceSize(selfRef: const_inout_tensor, mean: f32, std: f32, seedTensor: tensor, offsetTensor: tensor, offset: i64) in "aclnn_normal.h";
            /// In place: random numbers from `from` up to `to`, without it; the seed is a tensor.
            #[newer]
            operator aclnnInplaceUniformTensor, aclnnInplaceUniformTensorGetWorkspaceSize(selfRef: const_inout_tensor, from: f64, to: f64, seedTensor: tensor, offsetTensor: tensor, offset: u64) in "aclnn_uniform.h";
            /// Random numbers of a normal distribution.
            operator aclnnNormalFloatFloat, aclnnNormalFloatFloatGetWorkspaceSize(mean: f32, std: f32, seed: i64, offset: i64, out: out_tensor) in "aclnn_normal_out.h";
            /// Random numbers of a normal distribution with a deviation for each.
            operator aclnnNormalFloatTensor, aclnnNormalFloatTensorGetWorkspaceSize(mean: f32, std: tensor, seed: i64, offset: i64, out: out_tensor) in "aclnn_normal_out.h";
            /// Random numbers of a normal distribution with a mean for each.
            operator aclnnNormalTensorFloat, aclnnNormalTensorFloatGetWorkspaceSize(mean: tensor, std: f32, seed: i64, offset: i64, out: out_tensor) in "aclnn_normal_out.h";
            /// Random numbers of a normal distribution with a mean and a deviation for each.
            operator aclnnNormalTensorTensor, aclnnNormalTensorTensorGetWorkspaceSize(mean: tensor, std: tensor, seed: i64, offset: i64, out: out_tensor) in "aclnn_normal_out.h";
            /// 1 with the probability `prob`, and 0 otherwise.
            operator aclnnBernoulli, aclnnBernoulliGetWorkspaceSize(self_: tensor, prob: scalar, seed: i64, offset: i64, out: out_tensor) in "aclnn_bernoulli.h";
            /// In place: 1 with the probability `prob`, and 0 otherwise.
            operator aclnnInplaceBernoulli, aclnnInplaceBernoulliGetWorkspaceSize(selfRef: const_inout_tensor, prob: scalar, seed: i64, offset: i64) in "aclnn_bernoulli.h";
            /// 1 with a probability for each element, and 0 otherwise.
            operator aclnnBernoulliTensor, aclnnBernoulliTensorGetWorkspaceSize(self_: tensor, prob: tensor, seed: i64, offset: i64, out: out_tensor) in "aclnn_bernoulli.h";
            /// In place: 1 with a probability for each element, and 0 otherwise.
            operator aclnnInplaceBernoulliTensor, aclnnInplaceBernoulliTensorGetWorkspaceSize(selfRef: const_inout_tensor, prob: tensor, seed: i64, offset: i64) in "aclnn_bernoulli.h";
            /// The numbers below `n` in a random order.
            operator aclnnRandperm, aclnnRandpermGetWorkspaceSize(n: i64, seed: i64, offset: i64, out: out_tensor) in "aclnn_randperm.h";
            /// In place: the angle in radians of the point with the ordinate `a` and the abscissa `b`.
            operator aclnnInplaceAtan2, aclnnInplaceAtan2GetWorkspaceSize(selfRef: inout_tensor, other: tensor) in "aclnn_atan2.h";
            /// Whether an element equals a number of the host, or differs from it if `invert`.
            operator aclnnIsInTensorScalar, aclnnIsInTensorScalarGetWorkspaceSize(element: tensor, testElement: scalar, assumeUnique: bool, invert: bool, out: out_tensor) in "aclnn_isin_tensor_scalar.h";
            /// Whether a number of the host is among the elements, or is not if `invert`.
            operator aclnnIsInScalarTensor, aclnnIsInScalarTensorGetWorkspaceSize(element: scalar, testElements: tensor, assumeUnique: bool, invert: bool, out: out_tensor) in "aclnn_isin.h";
            /// A number, or where it is negative its product with the weight of its channel.
            operator aclnnPrelu, aclnnPreluGetWorkspaceSize(self_: tensor, weight: tensor, out: out_tensor) in "aclnn_prelu.h";
            /// The first half of each row where it is larger than `threshold`, or 0, times the second half.
            operator aclnnFatreluMul, aclnnFatreluMulGetWorkspaceSize(input: tensor, threshold: tensor, out: const_out_tensor) in "aclnn_fatrelu_mul.h";
            /// Numbers whose logarithms have equal distances.
            #[newer]
            operator aclnnLogSpace, aclnnLogSpaceGetWorkspaceSize(start: scalar, end: scalar, steps: i64, base: f64, result: const_out_tensor) in "aclnn_logspace.h";
            /// The distances of all pairs of rows.
            #[newer]
            operator aclnnPdistForward, aclnnPdistForwardGetWorkspaceSize(self_: tensor, pScalar: scalar, out: out_tensor) in "aclnn_pdist_forward.h";
            /// Rows and columns scaled until their sums are equal.
            operator aclnnSinkhorn, aclnnSinkhornGetWorkspaceSize(cost: tensor, tol: optional_scalar, p: out_tensor) in "aclnn_sinkhorn.h";
            /// The signs of numbers as bits.
            operator aclnnSignBitsPack, aclnnSignBitsPackGetWorkspaceSize(self_: tensor, size: i64, out: out_tensor) in "aclnn_sign_bits_pack.h";
            /// Bits as the numbers 1 and -1.
            operator aclnnSignBitsUnpack, aclnnSignBitsUnpackGetWorkspaceSize(self_: tensor, size: i64, dtype: aclDataType, out: out_tensor) in "aclnn_sign_bits_unpack.h";
            /// `softmax(scale * x)` over the last dimension, without the elements that `mask` chooses.
            operator aclnnScaledMaskedSoftmax, aclnnScaledMaskedSoftmaxGetWorkspaceSize(x: tensor, mask: tensor, scale: f64, fixTriuMask: bool, y: out_tensor) in "aclnn_scaled_masked_softmax.h";
            /// Sums of products of elements, which a text with the names of dimensions describes.
            operator aclnnEinsum, aclnnEinsumGetWorkspaceSize(tensors: tensor_list, equation: text, output: out_tensor) in "aclnn_einsum.h";
            /// The inverses of square matrices.
            operator aclnnInverse, aclnnInverseGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_inverse.h";
            /// Sorts rows by their experts. An older form of `aclnnMoeInitRoutingV2`.
            operator aclnnMoeInitRouting, aclnnMoeInitRoutingGetWorkspaceSize(x: tensor, rowIdx: tensor, expertIdx: tensor, activeNum: i64, expandedXOut: const_out_tensor, expandedRowIdxOut: const_out_tensor, expandedExpertIdxOut: const_out_tensor) in "aclnn_moe_init_routing.h";
            /// The rows of each token, each with the bias of its expert and times its scale. An older form of `aclnnMoeFinalizeRoutingV2`.
            operator aclnnMoeFinalizeRouting, aclnnMoeFinalizeRoutingGetWorkspaceSize(expandedX: tensor, x1: tensor, x2Optional: optional_tensor, bias: tensor, scales: tensor, expandedRowIdx: tensor, expandedExpertIdx: tensor, out: const_out_tensor) in "aclnn_moe_finalize_routing.h";
            /// The experts of each row with the largest softmax, or the softmax of the largest numbers if `renorm` is 1.
            operator aclnnMoeGatingTopKSoftmaxV2, aclnnMoeGatingTopKSoftmaxV2GetWorkspaceSize(x: tensor, finishedOptional: optional_tensor, k: i64, renorm: i64, outputSoftmaxResultFlag: bool, yOut: const_out_tensor, expertIdxOut: const_out_tensor, softmaxResultOutOptional: optional_const_out_tensor) in "aclnn_moe_gating_top_k_softmax_v2.h";
            /// Where the rows of each expert end, among experts in order.
            operator aclnnMoeComputeExpertTokens, aclnnMoeComputeExpertTokensGetWorkspaceSize(sortedExperts: tensor, numExperts: i64, out: const_out_tensor) in "aclnn_moe_compute_expert_tokens.h";
            /// Products of pairs of matrices. An older form of `aclnnGroupedMatmulV5`.
            operator aclnnGroupedMatmul, aclnnGroupedMatmulGetWorkspaceSize(x: tensor_list, weight: tensor_list, biasOptional: optional_tensor_list, scaleOptional: optional_tensor_list, offsetOptional: optional_tensor_list, antiquantScaleOptional: optional_tensor_list, antiquantOffsetOptional: optional_tensor_list, groupListOptional: optional_int_array, splitItem: i64, y: const_out_tensor_list) in "aclnn_grouped_matmul.h";
            /// Products of pairs of matrices. An older form of `aclnnGroupedMatmulV5`.
            operator aclnnGroupedMatmulV2, aclnnGroupedMatmulV2GetWorkspaceSize(x: tensor_list, weight: tensor_list, biasOptional: optional_tensor_list, scaleOptional: optional_tensor_list, offsetOptional: optional_tensor_list, antiquantScaleOptional: optional_tensor_list, antiquantOffsetOptional: optional_tensor_list, groupListOptional: optional_int_array, splitItem: i64, groupType: i64, y: const_out_tensor_list) in "aclnn_grouped_matmul_v2.h";
            /// Products of pairs of matrices. An older form of `aclnnGroupedMatmulV5`.
            operator aclnnGroupedMatmulV3, aclnnGroupedMatmulV3GetWorkspaceSize(x: tensor_list, weight: tensor_list, biasOptional: optional_tensor_list, scaleOptional: optional_tensor_list, offsetOptional: optional_tensor_list, antiquantScaleOptional: optional_tensor_list, antiquantOffsetOptional: optional_tensor_list, groupListOptional: optional_tensor, splitItem: i64, groupType: i64, y: const_out_tensor_list) in "aclnn_grouped_matmul_v3.h";
            /// Attention of a whole prompt. An older form of `aclnnPromptFlashAttentionV3`.
            operator aclnnPromptFlashAttention, aclnnPromptFlashAttentionGetWorkspaceSize(query: tensor, key: tensor, value: tensor, pseShift: optional_tensor, attenMask: optional_tensor, actualSeqLengths: optional_int_array, numHeads: i64, scaleValue: f64, preTokens: i64, nextTokens: i64, inputLayout: mut_text, numKeyValueHeads: i64, attentionOut: const_out_tensor) in "aclnn_prompt_flash_attention.h";
            /// Attention of a whole prompt. An older form of `aclnnPromptFlashAttentionV3`.
            operator aclnnPromptFlashAttentionV2, aclnnPromptFlashAttentionV2GetWorkspaceSize(query: tensor, key: tensor, value: tensor, pseShift: optional_tensor, attenMask: optional_tensor, actualSeqLengths: optional_int_array, actualSeqLengthsKv: optional_int_array, deqScale1: optional_tensor, quantScale1: optional_tensor, deqScale2: optional_tensor, quantScale2: optional_tensor, quantOffset2: optional_tensor, numHeads: i64, scaleValue: f64, preTokens: i64, nextTokens: i64, inputLayout: mut_text, numKeyValueHeads: i64, sparseMode: i64, attentionOut: const_out_tensor) in "aclnn_prompt_flash_attention_v2.h";
            /// Attention of one new token to all tokens before it. An older form of `aclnnIncreFlashAttentionV4`.
            operator aclnnIncreFlashAttention, aclnnIncreFlashAttentionGetWorkspaceSize(query: tensor, key: tensor_list, value: tensor_list, pseShift: optional_tensor, attenMask: optional_tensor, actualSeqLengths: optional_int_array, numHeads: i64, scaleValue: f64, inputLayout: mut_text, numKeyValueHeads: i64, attentionOut: const_out_tensor) in "aclnn_incre_flash_attention.h";
            /// Attention of one new token to all tokens before it. An older form of `aclnnIncreFlashAttentionV4`.
            operator aclnnIncreFlashAttentionV3, aclnnIncreFlashAttentionV3GetWorkspaceSize(query: tensor, key: tensor_list, value: tensor_list, pseShift: optional_tensor, attenMask: optional_tensor, actualSeqLengths: optional_int_array, dequantScale1: optional_tensor, quantScale1: optional_tensor, dequantScale2: optional_tensor, quantScale2: optional_tensor, quantOffset2: optional_tensor, antiquantScale: optional_tensor, antiquantOffset: optional_tensor, blocktable: optional_tensor, numHeads: i64, scaleValue: f64, inputLayout: mut_text, numKeyValueHeads: i64, blockSize: i64, innerPrecise: i64, attentionOut: const_out_tensor) in "aclnn_incre_flash_attention_v3.h";
            /// Attention of a prompt or of one new token. An older form of `aclnnFusedInferAttentionScoreV2`.
            operator aclnnFusedInferAttentionScore, aclnnFusedInferAttentionScoreGetWorkspaceSize(query: tensor, key: tensor_list, value: tensor_list, pseShiftOptional: optional_tensor, attenMaskOptional: optional_tensor, actualSeqLengthsOptional: optional_int_array, actualSeqLengthsKvOptional: optional_int_array, deqScale1Optional: optional_tensor, quantScale1Optional: optional_tensor, deqScale2Optional: optional_tensor, quantScale2Optional: optional_tensor, quantOffset2Optional: optional_tensor, antiquantScaleOptional: optional_tensor, antiquantOffsetOptional: optional_tensor, blockTableOptional: optional_tensor, queryPaddingSizeOptional: optional_tensor, kvPaddingSizeOptional: optional_tensor, numHeads: i64, scaleValue: f64, preTokens: i64, nextTokens: i64, inputLayout: mut_text, numKeyValueHeads: i64, sparseMode: i64, innerPrecise: i64, blockSize: i64, antiquantMode: i64, softmaxLseFlag: bool, attentionOut: const_out_tensor, softmaxLse: optional_const_out_tensor) in "aclnn_fused_infer_attention_score.h";
            /// Attention of one new token to all tokens before it. An older form of `aclnnIncreFlashAttentionV4`.
            operator aclnnIncreFlashAttentionV2, aclnnIncreFlashAttentionV2GetWorkspaceSize(query: tensor, key: tensor_list, value: tensor_list, pseShift: optional_tensor, attenMask: optional_tensor, actualSeqLengths: optional_int_array, dequantScale1: optional_tensor, quantScale1: optional_tensor, dequantScale2: optional_tensor, quantScale2: optional_tensor, quantOffset2: optional_tensor, numHeads: i64, scaleValue: f64, inputLayout: mut_text, numKeyValueHeads: i64, attentionOut: const_out_tensor) in "aclnn_incre_flash_attention_v2.h";
            /// Products of pairs of matrices.
            #[newer]
            operator aclnnGroupedMatmulV5, aclnnGroupedMatmulV5GetWorkspaceSize(x: tensor_list, weight: tensor_list, biasOptional: optional_tensor_list, scaleOptional: optional_tensor_list, offsetOptional: optional_tensor_list, antiquantScaleOptional: optional_tensor_list, antiquantOffsetOptional: optional_tensor_list, perTokenScaleOptional: optional_tensor_list, groupListOptional: optional_tensor, activationInputOptional: optional_tensor_list, activationQuantScaleOptional: optional_tensor_list, activationQuantOffsetOptional: optional_tensor_list, splitItem: i64, groupType: i64, groupListType: i64, actType: i64, tuningConfigOptional: optional_int_array, out: out_tensor_list, activationFeatureOutOptional: optional_out_tensor_list, dynQuantScaleOutOptional: optional_out_tensor_list) in "aclnn_grouped_matmul_v5.h";
            /// The norm of each row times `1 + scale` of its batch, plus `shift`.
            #[newer]
            operator aclnnAdaLayerNorm, aclnnAdaLayerNormGetWorkspaceSize(x: tensor, scale: tensor, shift: tensor, weightOptional: optional_tensor, biasOptional: optional_tensor, epsilon: f64, out: out_tensor) in "aclnn_ada_layer_norm.h";
            /// The norm of each row times `1 + scale` of its batch, plus `shift`, and the figures of the rows.
            #[newer]
            operator aclnnAdaLayerNormV2, aclnnAdaLayerNormV2GetWorkspaceSize(x: tensor, scale: tensor, shift: tensor, weightOptional: optional_tensor, biasOptional: optional_tensor, epsilon: f64, out: out_tensor, meanOutOptional: optional_out_tensor, rstdOutOptional: optional_out_tensor) in "aclnn_ada_layer_norm_v2.h";
            /// Numbers as the bytes of a scale would give them, and which are within the limits.
            operator aclnnFakeQuantPerTensorAffineCachemask, aclnnFakeQuantPerTensorAffineCachemaskGetWorkspaceSize(self_: tensor, scale: tensor, zeroPoint: tensor, fakeQuantEnabled: f32, quantMin: i64, quantMax: i64, out: out_tensor, mask: out_tensor) in "aclnn_fake_quant_per_tensor_affine_cachemask.h";
            /// Numbers as the bytes of a scale of each channel would give them, and which are within the limits.
            operator aclnnFakeQuantPerChannelAffineCachemask, aclnnFakeQuantPerChannelAffineCachemaskGetWorkspaceSize(self_: tensor, scale: tensor, zeroPoint: tensor, axis: i64, quantMin: i64, quantMax: i64, out: out_tensor, mask: out_tensor) in "aclnn_fake_quant_per_channel_affine_cachemask.h";
            /// The distances of all pairs of rows, as `aclnnPdistForward` computes them. Some releases have `float p`.
            #[newer]
            operator aclnnPdist, aclnnPdistGetWorkspaceSize(self_: tensor, p: f64, out: out_tensor) in "aclnn_pdist.h";
            /// Whether two numbers are nearer than `tolerance`.
            #[newer]
            operator aclnnApproximateEqual, aclnnApproximateEqualGetWorkspaceSize(x1: tensor, x2: tensor, tolerance: f32, y: out_tensor) in "aclnn_approximate_equal.h";
            /// `var - value`.
            #[newer]
            operator aclnnAssignSub, aclnnAssignSubGetWorkspaceSize(var: tensor, value: tensor, varOut: const_out_tensor) in "aclnn_assign_sub.h";
            /// `alpha * x + y`.
            #[newer]
            operator aclnnAxpyV3, aclnnAxpyV3GetWorkspaceSize(x: tensor, y: tensor, alpha: f64, z: const_out_tensor) in "aclnn_axpy_v3.h";
            /// `x1 * x3 + x2`, where `x3` is one number.
            #[newer]
            operator aclnnFusedMulAddN, aclnnFusedMulAddNGetWorkspaceSize(x1: tensor, x2: tensor, x3: tensor, y: out_tensor) in "aclnn_fused_mul_add_n.h";
            /// The square of the difference with broadcasting.
            #[newer]
            operator aclnnSquaredDifference, aclnnSquaredDifferenceGetWorkspaceSize(x1: tensor, x2: tensor, out: const_out_tensor) in "aclnn_squared_difference.h";
            /// The quotient without its fraction, with broadcasting.
            #[newer]
            operator aclnnTruncateDiv, aclnnTruncateDivGetWorkspaceSize(x1: tensor, x2: tensor, out: const_out_tensor) in "aclnn_truncate_div.h";
            /// What a quotient without its fraction leaves, with broadcasting.
            #[newer]
            operator aclnnTruncateMod, aclnnTruncateModGetWorkspaceSize(x1: tensor, x2: tensor, out: const_out_tensor) in "aclnn_truncate_mod.h";
            /// The quotient, rounded down.
            #[newer]
            operator aclnnFloorDiv, aclnnFloorDivGetWorkspaceSize(self_x: tensor, self_y: tensor, out: out_tensor) in "aclnn_floor_div.h";
            /// The product, which is 0 where `y` is 0.
            #[newer]
            operator aclnnMulNoNan, aclnnMulNoNanGetWorkspaceSize(x: tensor, y: tensor, z: const_out_tensor) in "aclnn_mul_no_nan.h";
            /// The number below which the normal distribution has a share of `self`.
            #[newer]
            operator aclnnNdtri, aclnnNdtriGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_ndtri.h";
            /// `x / (1 + abs(x))`.
            #[newer]
            operator aclnnSoftsign, aclnnSoftsignGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_softsign.h";
            /// The SiLU of `x`, times `y`.
            #[newer]
            operator aclnnSiluMul, aclnnSiluMulGetWorkspaceSize(x: tensor, y: tensor, out: const_out_tensor) in "aclnn_silu_mul.h";
            /// Adds a number for each channel.
            #[newer]
            operator aclnnBiasAdd, aclnnBiasAddGetWorkspaceSize(x: tensor, bias: tensor, dataFormatOptional: mut_text, out: const_out_tensor) in "aclnn_bias_add.h";
            /// The quotient, or that without its fraction, or that rounded down.
            #[newer]
            operator aclnnDivV3, aclnnDivV3GetWorkspaceSize(self_: tensor, other: tensor, mode: i64, out: out_tensor) in "aclnn_div_v3.h";
            /// The diagonal of a square matrix.
            #[newer]
            operator aclnnDiagPart, aclnnDiagPartGetWorkspaceSize(x: tensor, y: out_tensor) in "aclnn_diag_part.h";
            /// `max(x, 0)`, and where it is above 0.
            #[newer]
            operator aclnnReluV3, aclnnReluV3GetWorkspaceSize(x: tensor, yOut: const_out_tensor, maskOut: const_out_tensor) in "aclnn_relu_v3.h";
            /// The SiLU of one half of each row times the other half, both within a limit.
            #[newer]
            operator aclnnSwigluClamp, aclnnSwigluClampGetWorkspaceSize(x: tensor, limit: f64, y: out_tensor) in "aclnn_swiglu_clamp.h";
            /// One half times its sigmoid and times the other half, both within a limit.
            #[newer]
            operator aclnnClippedSwiglu, aclnnClippedSwigluGetWorkspaceSize(x: tensor, groupIndexOptional: optional_tensor, dim: i64, alpha: f64, limit: f64, bias: f64, interleaved: bool, out: const_out_tensor) in "aclnn_clipped_swiglu.h";
            /// The products, the sums or the largest of the elements at the same place of many tensors.
            #[newer]
            operator aclnnEltwise, aclnnEltwiseGetWorkspaceSize(inputs: tensor_list, mode: i64, coeffOptional: optional_float_array, out: const_out_tensor) in "aclnn_eltwise.h";
            /// Elements of `updates`, one after the other, where a mask is true.
            #[newer]
            operator aclnnMaskedScatterV2, aclnnMaskedScatterV2GetWorkspaceSize(self_: tensor, mask: tensor, updates: tensor, out: out_tensor) in "aclnn_masked_scatter_v2.h";
            /// The logarithms of the determinants of matrices.
            #[newer]
            operator aclnnLogdet, aclnnLogdetGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_logdet.h";
            /// The signs of the determinants of matrices, and the logarithms of their absolute values.
            #[newer]
            operator aclnnSlogdet, aclnnSlogdetGetWorkspaceSize(self_: tensor, signOut: out_tensor, logOut: out_tensor) in "aclnn_slogdet.h";
            /// The arc cosine.
            #[newer]
            operator aclnnAcosV2, aclnnAcosV2GetWorkspaceSize(self_: tensor, out: const_out_tensor) in "aclnn_acos_v2.h";
            /// The hyperbolic cosine.
            #[newer]
            operator aclnnCoshV2, aclnnCoshV2GetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_cosh_v2.h";
            /// The exponential linear unit.
            #[newer]
            operator aclnnEluV2, aclnnEluV2GetWorkspaceSize(self_: tensor, alpha: scalar, scale: scalar, inputScale: scalar, out: out_tensor) in "aclnn_elu_v2.h";
            /// `x / 6 + 0.5` between 0 and 1.
            #[newer]
            operator aclnnHardsigmoidV2, aclnnHardsigmoidV2GetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_hardsigmoid_v2.h";
            /// In place: `x / 6 + 0.5` between 0 and 1.
            #[newer]
            operator aclnnInplaceHardsigmoidV2, aclnnInplaceHardsigmoidV2GetWorkspaceSize(selfRef: inout_tensor) in "aclnn_hardsigmoid_v2.h";
            /// The logarithm of the softmax.
            #[newer]
            operator aclnnLogSoftmaxV2, aclnnLogSoftmaxV2GetWorkspaceSize(self_: tensor, dim: i64, out: out_tensor) in "aclnn_log_softmax_v2.h";
            /// `x * min(max(x + 3, 0), 6) / 6`.
            #[newer]
            operator aclnnHardSwishV2, aclnnHardSwishV2GetWorkspaceSize(self_: tensor, out: const_out_tensor) in "aclnn_hard_swish_v2.h";
            /// The logarithm of the sigmoid.
            #[newer]
            operator aclnnLogsigmoidV2, aclnnLogsigmoidV2GetWorkspaceSize(x: tensor, z: const_out_tensor) in "aclnn_logsigmoid_v2.h";
            /// The tangent.
            #[newer]
            operator aclnnTanV2, aclnnTanV2GetWorkspaceSize(x: tensor, y: const_out_tensor) in "aclnn_tan_v2.h";
            /// The inverse hyperbolic sine.
            #[newer]
            operator aclnnAsinhV2, aclnnAsinhV2GetWorkspaceSize(x: tensor, out: const_out_tensor) in "aclnn_asinh_v2.h";
            /// `beta * self + alpha * vec1 * vec2`, the outer product of two vectors.
            #[newer]
            operator aclnnAddrV2, aclnnAddrV2GetWorkspaceSize(self_: tensor, vec1: tensor, vec2: tensor, betaOptional: optional_scalar, alphaOptional: optional_scalar, out: out_tensor) in "aclnn_addr_v2.h";
            /// In place: `beta * selfRef + alpha * vec1 * vec2`, the outer product of two vectors.
            #[newer]
            operator aclnnInplaceAddrV2, aclnnInplaceAddrV2GetWorkspaceSize(selfRef: inout_tensor, vec1: tensor, vec2: tensor, betaOptional: optional_scalar, alphaOptional: optional_scalar) in "aclnn_addr_v2.h";
            /// `self + alpha * other`, where `alpha` is one number.
            #[newer]
            operator aclnnAxpyV2, aclnnAxpyV2GetWorkspaceSize(self_: tensor, other: tensor, alpha: tensor, out: out_tensor) in "aclnn_axpy_v2.h";
            /// `c * beta + alpha * a * b`.
            #[newer]
            operator aclnnAddMatMatElements, aclnnAddMatMatElementsGetWorkspaceSize(a: tensor, b: tensor, c: tensor, alpha: scalar, beta: scalar, cOut: out_tensor) in "aclnn_add_mat_mat_elements.h";
            /// A copy.
            #[newer]
            operator aclnnTensorMove, aclnnTensorMoveGetWorkspaceSize(x: tensor, y: out_tensor) in "aclnn_tensor_move.h";
            /// The elements as another type.
            #[newer]
            operator aclnnCastV3, aclnnCastV3GetWorkspaceSize(x: tensor, dstType: i64, y: const_out_tensor) in "aclnn_cast_v3.h";
            /// A matrix with ones on its diagonal.
            #[newer]
            operator aclnnEyeV2, aclnnEyeV2GetWorkspaceSize(xOptional: optional_tensor, rows: i64, cols: i64, y: const_out_tensor) in "aclnn_eye_v2.h";
            /// The quotient.
            #[newer]
            operator aclnnDivV2, aclnnDivV2GetWorkspaceSize(x1: tensor, x2: tensor, y: const_out_tensor) in "aclnn_div_v2.h";
            /// The sum of the diagonal of a matrix.
            #[newer]
            operator aclnnTraceV2, aclnnTraceV2GetWorkspaceSize(x: tensor, y: const_out_tensor) in "aclnn_trace_v2.h";
            /// The sum of tensors with broadcasting.
            #[newer]
            operator aclnnSumV2, aclnnSumV2GetWorkspaceSize(tensors: tensor_list, out: out_tensor) in "aclnn_sum_v2.h";
            /// The sum of tensors with broadcasting.
            #[newer]
            operator aclnnAddN, aclnnAddNGetWorkspaceSize(tensors: tensor_list, out: out_tensor) in "aclnn_add_n.h";
            /// Another order of the dimensions, and another shape in front of it or behind it.
            operator aclnnConfusionTranspose, aclnnConfusionTransposeGetWorkspaceSize(x: tensor, perm: int_array, shape: int_array, transposeFirst: bool, out: out_tensor) in "aclnn_confusion_transpose.h";
            /// The norm of rows by the root of their mean square, as bytes.
            operator aclnnRmsNormQuant, aclnnRmsNormQuantGetWorkspaceSize(x: tensor, gamma: tensor, beta: tensor, scale: tensor, offset: tensor, epsilon: f64, y: out_tensor) in "aclnn_rms_norm_quant.h";
            /// The norm of rows of a sum by the root of their mean square, as bytes.
            #[newer]
            operator aclnnAddRmsNormQuant, aclnnAddRmsNormQuantGetWorkspaceSize(x1: tensor, x2: tensor, gamma: tensor, scales1: tensor, scales2Optional: optional_tensor, zeroPoints1Optional: optional_tensor, zeroPoints2Optional: optional_tensor, axis: i64, epsilon: f64, divMode: bool, y1Out: out_tensor, y2Out: out_tensor, xOut: out_tensor) in "aclnn_add_rms_norm_quant.h";
            /// The norm of rows of a sum by the root of their mean square, with a bias, as bytes and as numbers.
            #[newer]
            operator aclnnAddRmsNormQuantV2, aclnnAddRmsNormQuantV2GetWorkspaceSize(x1: tensor, x2: tensor, gamma: tensor, scales1: tensor, scales2Optional: optional_tensor, zeroPoints1Optional: optional_tensor, zeroPoints2Optional: optional_tensor, betaOptional: optional_tensor, axis: i64, epsilon: f64, divMode: bool, y1Out: out_tensor, y2Out: out_tensor, xOut: out_tensor, rmsNormOut: optional_out_tensor) in "aclnn_add_rms_norm_quant_v2.h";
            /// The norm of rows of a sum by the root of their mean square, as bytes with the scale of each row.
            #[newer]
            operator aclnnAddRmsNormDynamicQuant, aclnnAddRmsNormDynamicQuantGetWorkspaceSize(x1: tensor, x2: tensor, gamma: tensor, smoothScale1Optional: optional_tensor, smoothScale2Optional: optional_tensor, epsilon: f64, y1Out: out_tensor, y2Out: out_tensor, xOut: out_tensor, scale1Out: out_tensor, scale2Out: out_tensor) in "aclnn_add_rms_norm_dynamic_quant.h";
            /// The norm of rows of a sum by the root of their mean square, with a bias, as bytes with the scale of each row.
            #[newer]
            operator aclnnAddRmsNormDynamicQuantV2, aclnnAddRmsNormDynamicQuantV2GetWorkspaceSize(x1: tensor, x2: tensor, gamma: tensor, smoothScale1Optional: optional_tensor, smoothScale2Optional: optional_tensor, betaOptional: optional_tensor, epsilon: f64, outputMask: optional_bool_array, y1Out: out_tensor, y2Out: out_tensor, xOut: out_tensor, scale1Out: out_tensor, scale2Out: out_tensor) in "aclnn_add_rms_norm_dynamic_quant_v2.h";
            /// The norm of rows by the root of their mean square, as bytes with the scale of each row.
            #[newer]
            operator aclnnRmsNormDynamicQuant, aclnnRmsNormDynamicQuantGetWorkspaceSize(x: tensor, gamma: tensor, smoothScalesOptional: optional_tensor, betaOptional: optional_tensor, epsilon: f64, dstType: i64, yOut: const_out_tensor, scaleOut: const_out_tensor) in "aclnn_rms_norm_dynamic_quant.h";
            /// The nearest whole numbers of quotients, and zero points.
            operator aclnnQuantize, aclnnQuantizeGetWorkspaceSize(x: tensor, scales: tensor, zeroPoints: optional_tensor, dtype: aclDataType, axis: i32, out: out_tensor) in "aclnn_quantize.h";
            /// The nearest bytes of rows, with factors for each group of rows.
            operator aclnnGroupQuant, aclnnGroupQuantGetWorkspaceSize(x: tensor, scale: tensor, groupIndex: tensor, offsetOptional: optional_tensor, dstType: i32, y: out_tensor) in "aclnn_group_quant.h";
            /// Factors and terms for some of the dimensions.
            operator aclnnScale, aclnnScaleGetWorkspaceSize(x: tensor, scale: tensor, bias: optional_tensor, axis: i64, numAxes: i64, scaleFromBlob: bool, y: out_tensor) in "aclnn_scale.h";
            /// e to the power of the sums behind one element up to another one.
            operator aclnnExpSegsum, aclnnExpSegsumGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_exp_segsum.h";
            /// Leaves out of each row what is not among the largest, or the likely.
            operator aclnnApplyTopKTopP, aclnnApplyTopKTopPGetWorkspaceSize(logits: tensor, p: optional_tensor, k: optional_tensor, out: out_tensor) in "aclnn_apply_top_k_top_p.h";
            /// A convolution along the first dimension, with the channels last.
            operator aclnnConvTbc, aclnnConvTbcGetWorkspaceSize(self_: tensor, weight: tensor, bias: tensor, pad: i64, output: out_tensor, cubeMathType: i8) in "aclnn_conv_tbc.h";
            /// The softmax of products with a mask and a bias for each position.
            operator aclnnMaskedSoftmaxWithRelPosBias, aclnnMaskedSoftmaxWithRelPosBiasGetWorkspaceSize(x: tensor, attenMaskOptional: optional_tensor, relativePosBias: tensor, scaleValue: f64, innerPrecisionMode: i64, out: const_out_tensor) in "aclnn_masked_softmax_with_rel_pos_bias.h";
            /// A cell with a memory, from the sums of its gates.
            operator aclnnThnnFusedLstmCell, aclnnThnnFusedLstmCellGetWorkspaceSize(inputGates: tensor, hiddenGates: tensor, cx: tensor, inputBiasOptional: optional_tensor, hiddenBiasOptional: optional_tensor, hyOut: out_tensor, cyOut: out_tensor, storageOut: out_tensor) in "aclnn_thnn_fused_lstm_cell.h";
            /// Elements that are combined at indices of a dimension.
            #[newer]
            operator aclnnScatterReduce, aclnnScatterReduceGetWorkspaceSize(self_: tensor, dim: i64, index: tensor, src: tensor, reduce: i64, includeSelf: bool, out: out_tensor) in "aclnn_scatter_reduce.h";
            /// In place: elements that are combined at indices of a dimension.
            #[newer]
            operator aclnnInplaceScatterReduce, aclnnInplaceScatterReduceGetWorkspaceSize(selfRef: inout_tensor, dim: i64, index: tensor, src: tensor, reduce: i64, includeSelf: bool) in "aclnn_scatter_reduce.h";
        } }
    };
}
