//! Operators that fewer programs call.

/// Calls `$callback!` with these operators, behind the tokens of `$context`, and behind other operators if there are any.
#[doc(hidden)]
#[macro_export]
macro_rules! operators_for_more {
    ($callback:path [$($context:tt)*] $($before:tt)*) => {
        $callback! {
            $($context)*
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
            operator aclnnLogSigmoidForward, aclnnLogSigmoidForwardGetWorkspaceSize(self_: tensor, out: out_tensor, buffer: out_tensor) in "aclnn_log_sigmoid.h";
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
        }
    };
}
