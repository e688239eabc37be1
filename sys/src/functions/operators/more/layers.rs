//! Operators of layers: what language models compute between their products, layers that are stored as bytes, and further ones.

/// Adds operators to those of [`operators!`](crate::operators), and hands all of them over.
#[doc(hidden)]
#[macro_export]
macro_rules! operators_of_layers {
    ($callback:path [$($context:tt)*] { $($before:tt)* }) => {
        $callback! {
            $($context)*
            $($before)*
            /// Rows of tokens in the order of their experts, of which a card keeps a range, and their shares.
            #[newer]
            operator aclnnMoeTokenPermuteWithEp, aclnnMoeTokenPermuteWithEpGetWorkspaceSize(tokens: tensor, indices: tensor, probsOptional: optional_tensor, rangeOptional: optional_int_array, numOutTokens: i64, paddedMode: bool, permuteTokensOut: const_out_tensor, sortedIndicesOut: const_out_tensor, permuteProbsOut: const_out_tensor) in "aclnn_moe_token_permute_with_ep.h";
            /// The sums of the rows of each token, of which a card has a range.
            #[newer]
            operator aclnnMoeTokenUnpermuteWithEp, aclnnMoeTokenUnpermuteWithEpGetWorkspaceSize(permutedTokens: tensor, sortedIndices: tensor, probsOptional: optional_tensor, numTopk: i64, rangeOptional: optional_int_array, paddedMode: bool, restoreShapeOptional: optional_int_array, out: const_out_tensor) in "aclnn_moe_token_unpermute_with_ep.h";
            /// Rows of tokens in the order of their experts, which a map of truth values names.
            #[newer]
            operator aclnnMoeTokenPermuteWithRoutingMap, aclnnMoeTokenPermuteWithRoutingMapGetWorkspaceSize(tokens: tensor, routingMap: tensor, probsOptional: optional_tensor, numOutTokens: i64, dropAndPad: bool, permuteTokensOut: out_tensor, permuteProbsOutOptional: optional_out_tensor, sortedIndicesOut: out_tensor) in "aclnn_moe_token_permute_with_routing_map.h";
            /// The experts of each token from the best groups of experts, and their shares.
            #[newer]
            operator aclnnMoeGatingTopK, aclnnMoeGatingTopKGetWorkspaceSize(x: tensor, biasOptional: optional_tensor, k: i64, kGroup: i64, groupCount: i64, groupSelectMode: i64, renorm: i64, normType: i64, outFlag: bool, routedScalingFactor: f64, eps: f64, yOut: const_out_tensor, expertIdxOut: const_out_tensor, outOut: const_out_tensor) in "aclnn_moe_gating_top_k.h";
            /// Two attentions over other keys as one, with the figures of their softmax.
            #[newer]
            operator aclnnRingAttentionUpdate, aclnnRingAttentionUpdateGetWorkspaceSize(prevAttnOut: tensor, prevSoftmaxMax: tensor, prevSoftmaxSum: tensor, curAttnOut: tensor, curSoftmaxMax: tensor, curSoftmaxSum: tensor, actualSeqQlenOptional: optional_tensor, inputLayoutOptional: mut_text, attnOutOut: const_out_tensor, softmaxMaxOut: const_out_tensor, softmaxSumOut: const_out_tensor) in "aclnn_ring_attention_update.h";
            /// Attentions over other keys as one, from the logarithms of their sums.
            #[newer]
            operator aclnnAttentionUpdate, aclnnAttentionUpdateGetWorkspaceSize(lse: tensor_list, localOut: tensor_list, updateType: i64, out: out_tensor, lseOut: optional_out_tensor) in "aclnn_attention_update.h";
            /// Keys and values that are stored at slots of a cache.
            #[newer]
            operator aclnnScatterPaKvCache, aclnnScatterPaKvCacheGetWorkspaceSize(key: tensor, keyCacheRef: inout_tensor, slotMapping: tensor, value: tensor, valueCacheRef: inout_tensor, compressLensOptional: optional_tensor, compressSeqOffsetOptional: optional_tensor, seqLensOptional: optional_tensor, cacheModeOptional: mut_text, scatterModeOptional: mut_text, stridesOptional: optional_int_array, offsetsOptional: optional_int_array) in "aclnn_scatter_pa_kv_cache.h";
            /// The keys and values of sequences, from the blocks of a cache.
            #[newer]
            operator aclnnGatherPaKvCache, aclnnGatherPaKvCacheGetWorkspaceSize(keyCache: tensor, valueCache: tensor, blockTables: tensor, seqLens: tensor, keyRef: inout_tensor, valueRef: inout_tensor, seqOffsetOptional: optional_tensor, cacheMode: mut_text, isSeqLensCumsum: bool) in "aclnn_gather_pa_kv_cache.h";
            /// Queries and keys that are rotated by the angles of their positions in a table.
            #[newer]
            operator aclnnRopeWithSinCosCache, aclnnRopeWithSinCosCacheGetWorkspaceSize(positions: tensor, queryIn: tensor, keyIn: tensor, cosSinCache: tensor, mropeSection: optional_int_array, headSize: i64, isNeoxStyle: bool, queryOut: out_tensor, keyOut: out_tensor) in "aclnn_rope_with_sin_cos_cache.h";
            /// A part of each row that is rotated by angles, in place.
            #[newer]
            operator aclnnInplacePartialRotaryMul, aclnnInplacePartialRotaryMulGetWorkspaceSize(xRef: const_inout_tensor, cos: tensor, sin: tensor, rotary_mode: i64, partialSlice: int_array) in "aclnn_inplace_partial_rotary_mul.h";
            /// Pairs of neighbours that are rotated by angles, and stored as halves.
            #[newer]
            operator aclnnInterleaveRope, aclnnInterleaveRopeGetWorkspaceSize(x: tensor, cos: tensor, sin: tensor, out: out_tensor) in "aclnn_interleave_rope.h";
            /// The GELU of numbers, as bytes.
            #[newer]
            operator aclnnGeluQuant, aclnnGeluQuantGetWorkspaceSize(self_: tensor, inputScaleOptional: optional_tensor, inputOffsetOptional: optional_tensor, approximate: text, quantMode: text, roundMode: text, dstType: i64, y: const_out_tensor, outScaleOptional: optional_const_out_tensor) in "aclnn_gelu_quant.h";
            /// The norms of rows with a scale and a shift for each batch, as bytes.
            #[newer]
            operator aclnnAdaLayerNormQuant, aclnnAdaLayerNormQuantGetWorkspaceSize(x: tensor, scale: tensor, shift: tensor, weightOptional: optional_tensor, biasOptional: optional_tensor, smoothScalesOptional: optional_tensor, epsilon: f64, quantMode: text, out: out_tensor, quantScale: out_tensor, quantOffsetOptional: optional_out_tensor) in "aclnn_ada_layer_norm_quant.h";
            /// The SwiGLU of rows, as bytes.
            #[newer]
            operator aclnnSwiGluQuantV2, aclnnSwiGluQuantV2GetWorkspaceSize(x: tensor, smoothScalesOptional: optional_tensor, offsetsOptional: optional_tensor, groupIndexOptional: optional_tensor, activateLeft: bool, quantModeOptional: mut_text, groupListType: i64, dstType: i64, yOut: const_out_tensor, scaleOut: const_out_tensor) in "aclnn_swi_glu_quant_v2.h";
            /// The norms of groups of channels and their SiLU, as bytes.
            #[newer]
            operator aclnnGroupNormSiluQuant, aclnnGroupNormSiluQuantGetWorkspaceSize(self_: tensor, gammaOptional: optional_tensor, betaOptional: optional_tensor, quantScale: tensor, group: i64, eps: f64, activateSilu: bool, out: out_tensor, meanOut: out_tensor, rstdOut: out_tensor) in "aclnn_group_norm_silu_quant.h";
            /// The norms of channels of bytes, as bytes.
            #[newer]
            operator aclnnQuantizedBatchNorm, aclnnQuantizedBatchNormGetWorkspaceSize(input: tensor, mean: tensor, var: tensor, inputScale: scalar, inputZeroPoint: scalar, outputScale: scalar, outputZeroPoint: scalar, weight: mut_tensor, bias: mut_tensor, epsilon: f32, output: out_tensor) in "aclnn_quantized_batch_norm.h";
            /// Rows as bytes with their own scales, or all of them with one.
            #[newer]
            operator aclnnDynamicQuantV3, aclnnDynamicQuantV3GetWorkspaceSize(x: tensor, smoothScalesOptional: optional_tensor, groupIndexOptional: optional_tensor, dstType: i64, isSymmetrical: bool, quantMode: text, yOut: const_out_tensor, scaleOut: const_out_tensor, offsetOut: optional_const_out_tensor) in "aclnn_dynamic_quant_v3.h";
            /// A product of matrices, plus a vector, and a function of it or another matrix.
            #[newer]
            operator aclnnFusedMatmul, aclnnFusedMatmulGetWorkspaceSize(x1: tensor, x2: tensor, bias: optional_tensor, x3: optional_tensor, fusedOpType: text, cubeMathType: i8, y: const_out_tensor) in "aclnn_fused_matmul.h";
            /// The GELU of a product of matrices plus a vector.
            #[newer]
            operator aclnnFusedMatmulGelu, aclnnFusedMatmulGeluGetWorkspaceSize(x: tensor, weight: tensor, bias: optional_tensor, approximate: i64, y: out_tensor) in "aclnn_fused_matmul_gelu.h";
            /// A product of matrices, plus a vector.
            #[newer]
            operator aclnnMatmulAdd, aclnnMatmulAddGetWorkspaceSize(a: tensor, b: tensor, bias: optional_tensor, yOut: out_tensor) in "aclnn_matmul_add.h";
            /// Products of matrices whose dimensions are in another order.
            #[newer]
            operator aclnnTransposeBatchMatMul, aclnnTransposeBatchMatMulGetWorkspaceSize(x1: tensor, x2: tensor, bias: optional_tensor, scale: optional_tensor, permX1: int_array, permX2: int_array, permY: int_array, cubeMathType: i8, batchSplitFactor: i32, out: out_tensor) in "aclnn_transpose_batch_mat_mul.h";
            /// The sums, the means or the largest of the rows of a table that bags of indices name.
            #[newer]
            operator aclnnEmbeddingBag, aclnnEmbeddingBagGetWorkspaceSize(weight: tensor, indices: tensor, offsets: tensor, scaleGradByFreq: bool, mode: i64, sparse: bool, perSampleWeights: optional_tensor, includeLastOffset: bool, paddingIdx: i64, output: out_tensor, offset2bag: out_tensor, bagSize: out_tensor, maxIndices: out_tensor) in "aclnn_embedding_bag.h";
            /// The different parts of a dimension in their order, where each part is among them, and how often it occurs.
            #[newer]
            operator aclnnUniqueDim, aclnnUniqueDimGetWorkspaceSize(self_: tensor, sorted: bool, returnInverse: bool, dim: i64, valueOut: out_tensor, inverseOut: out_tensor, countsOut: out_tensor) in "aclnn_unique_dim.h";
            /// A part of a tensor that is replaced, in place.
            #[newer]
            operator aclnnStridedSliceAssignV2, aclnnStridedSliceAssignV2GetWorkspaceSize(varRef: inout_tensor, inputValue: tensor, begin: int_array, end: int_array, strides: int_array, axesOptional: optional_int_array) in "aclnn_strided_slice_assign_v2.h";
            /// Queries, keys and values of heads, from rows of all three and a bias.
            #[newer]
            operator aclnnTransformBiasRescaleQkv, aclnnTransformBiasRescaleQkvGetWorkspaceSize(qkv: tensor, qkvBias: tensor, numHeads: i64, qOut: const_out_tensor, kOut: const_out_tensor, vOut: const_out_tensor) in "aclnn_transform_bias_rescale_qkv.h";
            /// `self` where it is above 0, and a random part of it elsewhere.
            #[newer]
            operator aclnnRReluWithNoise, aclnnRReluWithNoiseGetWorkspaceSize(self_: tensor, noise: const_inout_tensor, lower: scalar, upper: scalar, training: bool, seed: i64, offset: i64, out: out_tensor) in "aclnn_rrelu_with_noise.h";
            /// In place: a random part of `self` where it is not above 0.
            #[newer]
            operator aclnnInplaceRReluWithNoise, aclnnInplaceRReluWithNoiseGetWorkspaceSize(self_: const_inout_tensor, noise: const_inout_tensor, lower: scalar, upper: scalar, training: bool, seed: i64, offset: i64) in "aclnn_rrelu_with_noise.h";
            /// Elements of the memory of a tensor at distances.
            #[newer]
            operator aclnnAsStrided, aclnnAsStridedGetWorkspaceSize(x: tensor, size: int_array, stride: int_array, storageOffset: int_array, out: out_tensor) in "aclnn_as_strided.h";
            /// The largest elements of windows.
            #[newer]
            operator aclnnMaxPoolV3, aclnnMaxPoolV3GetWorkspaceSize(x: tensor, ksize: int_array, strides: int_array, pads: optional_int_array, ceilMode: optional_scalar, out: out_tensor) in "aclnn_max_pool_v3.h";
            /// The places of dimensions of one order in another one.
            #[newer]
            operator aclnnDataFormatDimMap, aclnnDataFormatDimMapGetWorkspaceSize(x: tensor, srcFormat: text, dstFormat: text, y: const_out_tensor) in "aclnn_data_format_dim_map.h";
            /// `x` above 0, and `alpha * (exp(x / alpha) - 1)` elsewhere.
            #[newer]
            operator aclnnCeluV3, aclnnCeluV3GetWorkspaceSize(self_: tensor, alpha: scalar, out: out_tensor) in "aclnn_celu_v3.h";
            /// `self` above a threshold, and a number elsewhere.
            #[newer]
            operator aclnnThresholdV2, aclnnThresholdV2GetWorkspaceSize(self_: tensor, threshold: scalar, value: scalar, out: out_tensor) in "aclnn_threshold_v2.h";
            /// The arc sine.
            #[newer]
            operator aclnnAsinWithAgent, aclnnAsinWithAgentGetWorkspaceSize(x: tensor, y: out_tensor) in "aclnn_asin_with_agent.h";
            /// The inverse hyperbolic sine.
            #[newer]
            operator aclnnAsinhWithAgent, aclnnAsinhWithAgentGetWorkspaceSize(x: tensor, y: out_tensor) in "aclnn_asinh_with_agent.h";
            /// The integral of the cosine of `pi / 2 * t * t`.
            #[newer]
            operator aclnnFresnelCos, aclnnFresnelCosGetWorkspaceSize(x: tensor, out: out_tensor) in "aclnn_fresnel_cos.h";
            /// The integral of the sine of `pi / 2 * t * t`.
            #[newer]
            operator aclnnFresnelSin, aclnnFresnelSinGetWorkspaceSize(x: tensor, out: out_tensor) in "aclnn_fresnel_sin.h";
            /// Queries or keys that are turned by angles, by halves, by neighbours, or by a matrix.
            #[newer]
            operator aclnnRotaryPositionEmbeddingV2, aclnnRotaryPositionEmbeddingV2GetWorkspaceSize(x: tensor, cos: tensor, sin: tensor, mode: i64, rotate: optional_tensor, out: out_tensor) in "aclnn_rotary_position_embedding_v2.h";
            /// Two attentions over other keys as one, with a layout of the figures of their softmax.
            #[newer]
            operator aclnnRingAttentionUpdateV2, aclnnRingAttentionUpdateV2GetWorkspaceSize(prevAttnOut: tensor, prevSoftmaxMax: tensor, prevSoftmaxSum: tensor, curAttnOut: tensor, curSoftmaxMax: tensor, curSoftmaxSum: tensor, actualSeqQlenOptional: optional_tensor, inputLayoutOptional: mut_text, inputSoftmaxLayoutOptional: mut_text, attnOutOut: const_out_tensor, softmaxMaxOut: const_out_tensor, softmaxSumOut: const_out_tensor) in "aclnn_ring_attention_update.h";
            /// The rows of each token, with experts that give nothing, the token itself, or a constant.
            #[newer]
            operator aclnnMoeFinalizeRoutingV3, aclnnMoeFinalizeRoutingV3GetWorkspaceSize(expandedX: tensor, expandedRowIdx: tensor, x1Optional: optional_tensor, x2Optional: optional_tensor, biasOptional: optional_tensor, scalesOptional: optional_tensor, expertIdxOptional: optional_tensor, xOptional: optional_tensor, alpha1Optional: optional_tensor, alpha2Optional: optional_tensor, vOptional: optional_tensor, dropPadMode: i64, zeroExpertRange: optional_int_array, copyExpertRange: optional_int_array, constantExpertRange: optional_int_array, out: const_out_tensor) in "aclnn_moe_finalize_routing_v3.h";
            /// Two products with a function of each element between them, of all rows or of those of each expert.
            #[newer]
            operator aclnnFFN, aclnnFFNGetWorkspaceSize(x: tensor, weight1: tensor, weight2: tensor, expertTokens: optional_int_array, bias1: optional_tensor, bias2: optional_tensor, scale: optional_tensor, offset: optional_tensor, deqScale1: optional_tensor, deqScale2: optional_tensor, antiquantScale1: optional_tensor, antiquantScale2: optional_tensor, antiquantOffset1: optional_tensor, antiquantOffset2: optional_tensor, activation: text, innerPrecise: i64, y: const_out_tensor) in "aclnn_ffn.h";
            /// Two products with a function of each element between them, with numbers of rows or with their ends.
            #[newer]
            operator aclnnFFNV2, aclnnFFNV2GetWorkspaceSize(x: tensor, weight1: tensor, weight2: tensor, expertTokens: optional_int_array, bias1: optional_tensor, bias2: optional_tensor, scale: optional_tensor, offset: optional_tensor, deqScale1: optional_tensor, deqScale2: optional_tensor, antiquantScale1: optional_tensor, antiquantScale2: optional_tensor, antiquantOffset1: optional_tensor, antiquantOffset2: optional_tensor, activation: text, innerPrecise: i64, tokensIndexFlag: bool, y: const_out_tensor) in "aclnn_ffn_v2.h";
            /// Two products with a function of each element between them, with numbers of rows or their ends in a tensor.
            #[newer]
            operator aclnnFFNV3, aclnnFFNV3GetWorkspaceSize(x: tensor, weight1: tensor, weight2: tensor, expertTokensOptional: optional_tensor, bias1Optional: optional_tensor, bias2Optional: optional_tensor, scaleOptional: optional_tensor, offsetOptional: optional_tensor, deqScale1Optional: optional_tensor, deqScale2Optional: optional_tensor, antiquantScale1Optional: optional_tensor, antiquantScale2Optional: optional_tensor, antiquantOffset1Optional: optional_tensor, antiquantOffset2Optional: optional_tensor, activation: text, innerPrecise: i64, tokensIndexFlag: bool, y: const_out_tensor) in "aclnn_ffn_v3.h";
            /// The norms of sums of rows, as bytes with one scale for each column or for each row.
            #[newer]
            operator aclnnAddLayerNormQuant, aclnnAddLayerNormQuantGetWorkspaceSize(x1: tensor, x2: tensor, gamma: tensor, beta: tensor, biasOptional: optional_tensor, scales1Optional: optional_tensor, scales2Optional: optional_tensor, zeroPoints1Optional: optional_tensor, zeroPoints2Optional: optional_tensor, quantMode: text, epsilon: f64, additionalOutput: bool, divMode: bool, y1Out: out_tensor, y2Out: out_tensor, xOut: out_tensor, outScales1Out: out_tensor, outScales2Out: out_tensor) in "aclnn_add_layer_norm_quant.h";
            /// The norms of rows, as bytes with one scale.
            #[newer]
            operator aclnnLayerNormQuant, aclnnLayerNormQuantGetWorkspaceSize(x: tensor, gamma: tensor, beta: tensor, scale: tensor, zeroPointsOptional: optional_tensor, quantMode: c_int, epsilon: f64, res: out_tensor, scaleOut: out_tensor) in "aclnn_layer_norm_quant.h";
            /// The attention of queries to keys and values for inference, with scales of queries.
            #[newer]
            operator aclnnFusedInferAttentionScoreV4, aclnnFusedInferAttentionScoreV4GetWorkspaceSize(query: tensor, key: tensor_list, value: tensor_list, pseShiftOptional: optional_tensor, attenMaskOptional: optional_tensor, actualSeqLengthsOptional: optional_int_array, actualSeqLengthsKvOptional: optional_int_array, deqScale1Optional: optional_tensor, quantScale1Optional: optional_tensor, deqScale2Optional: optional_tensor, quantScale2Optional: optional_tensor, quantOffset2Optional: optional_tensor, antiquantScaleOptional: optional_tensor, antiquantOffsetOptional: optional_tensor, blockTableOptional: optional_tensor, queryPaddingSizeOptional: optional_tensor, kvPaddingSizeOptional: optional_tensor, keyAntiquantScaleOptional: optional_tensor, keyAntiquantOffsetOptional: optional_tensor, valueAntiquantScaleOptional: optional_tensor, valueAntiquantOffsetOptional: optional_tensor, keySharedPrefixOptional: optional_tensor, valueSharedPrefixOptional: optional_tensor, actualSharedPrefixLenOptional: optional_int_array, queryRopeOptional: optional_tensor, keyRopeOptional: optional_tensor, keyRopeAntiquantScaleOptional: optional_tensor, dequantScaleQueryOptional: optional_tensor, learnableSinkOptional: optional_tensor, numHeads: i64, scaleValue: f64, preTokens: i64, nextTokens: i64, inputLayout: mut_text, numKeyValueHeads: i64, sparseMode: i64, innerPrecise: i64, blockSize: i64, antiquantMode: i64, softmaxLseFlag: bool, keyAntiquantMode: i64, valueAntiquantMode: i64, queryQuantMode: i64, attentionOut: const_out_tensor, softmaxLse: optional_const_out_tensor) in "aclnn_fused_infer_attention_score_v4.h";
            /// The attention of queries to keys and values for inference, with kinds of what is added to the scores.
            #[newer]
            operator aclnnFusedInferAttentionScoreV5, aclnnFusedInferAttentionScoreV5GetWorkspaceSize(query: tensor, key: tensor_list, value: tensor_list, pseShiftOptional: optional_tensor, attenMaskOptional: optional_tensor, actualSeqLengthsOptional: optional_int_array, actualSeqLengthsKvOptional: optional_int_array, deqScale1Optional: optional_tensor, quantScale1Optional: optional_tensor, deqScale2Optional: optional_tensor, quantScale2Optional: optional_tensor, quantOffset2Optional: optional_tensor, antiquantScaleOptional: optional_tensor, antiquantOffsetOptional: optional_tensor, blockTableOptional: optional_tensor, queryPaddingSizeOptional: optional_tensor, kvPaddingSizeOptional: optional_tensor, keyAntiquantScaleOptional: optional_tensor, keyAntiquantOffsetOptional: optional_tensor, valueAntiquantScaleOptional: optional_tensor, valueAntiquantOffsetOptional: optional_tensor, keySharedPrefixOptional: optional_tensor, valueSharedPrefixOptional: optional_tensor, actualSharedPrefixLenOptional: optional_int_array, queryRopeOptional: optional_tensor, keyRopeOptional: optional_tensor, keyRopeAntiquantScaleOptional: optional_tensor, dequantScaleQueryOptional: optional_tensor, learnableSinkOptional: optional_tensor, qStartIdxOptional: optional_int_array, kvStartIdxOptional: optional_int_array, numHeads: i64, scaleValue: f64, preTokens: i64, nextTokens: i64, inputLayout: mut_text, numKeyValueHeads: i64, sparseMode: i64, innerPrecise: i64, blockSize: i64, antiquantMode: i64, softmaxLseFlag: bool, keyAntiquantMode: i64, valueAntiquantMode: i64, queryQuantMode: i64, pseType: i64, attentionOut: const_out_tensor, softmaxLse: optional_const_out_tensor) in "aclnn_fused_infer_attention_score_v5.h";
            /// Queries and keys that are rotated by the angles of their positions in a table, with a way to mix those of axes.
            #[newer]
            operator aclnnRopeWithSinCosCacheV2, aclnnRopeWithSinCosCacheV2GetWorkspaceSize(positions: tensor, queryIn: tensor, keyIn: tensor, cosSinCache: tensor, mropeSection: optional_int_array, headSize: i64, isNeoxStyle: bool, cacheMode: i64, queryOut: out_tensor, keyOut: out_tensor) in "aclnn_rope_with_sin_cos_cache_v2.h";
            /// The first half of each row times its logistic function and the second half, of the rows of groups.
            #[newer]
            operator aclnnSwigluGroup, aclnnSwigluGroupGetWorkspaceSize(x: tensor, weightOptional: optional_tensor, groupIndexOptional: optional_tensor, clampLimit: f64, out: const_out_tensor) in "aclnn_swiglu_group.h";
            /// The streams of each token, mixed by a matrix, and the result of a layer times a weight of each stream.
            #[newer]
            operator aclnnMhcPost, aclnnMhcPostGetWorkspaceSize(x: tensor, hRes: tensor, hOut: tensor, hPost: tensor, out: out_tensor) in "aclnn_mhc_post.h";
            /// Rows with the two before them, of each column alone, with a mask.
            #[newer]
            operator aclnnMaskedCausalConv1d, aclnnMaskedCausalConv1dGetWorkspaceSize(x: tensor, weight: tensor, maskOptional: optional_tensor, out: const_out_tensor) in "aclnn_masked_causal_conv1d.h";
        }
    };
}
