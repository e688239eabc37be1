//! Gradients of tokens of experts and of turned pairs, and the norm of channels whose elements are on several cards.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::Floating;
use crate::op::indices::Indices;
use crate::op::parameter::Ints;
use crate::op::shape::Dims;
use crate::op::table::functions;
use crate::op::table::network::{Pairs, check_turned};

functions! {
    "The channels of an operand are its second dimension. A token is a row of a matrix.";
    /// Prepares the mean of each channel, and `1 / sqrt(variance + epsilon)` (`aclnnBatchNormStats`), which come back as a pair.
    #[doc(alias("aclnnBatchNormStats", "aclnnBatchNormStatsGetWorkspaceSize"))]
    BatchNormStats<T: Floating>, batch_norm_stats(a: in T, epsilon: attr f64, mean: out f32, r: out f32)
        = aclnnBatchNormStats, aclnnBatchNormStatsGetWorkspaceSize, |op| check_outs(op, &a.dims, [&mean.dims, &r.dims]);
    /// Prepares the means of the channels of several cards, and `r = 1 / sqrt(variance + epsilon)`
    /// (`aclnnBatchNormGatherStatsWithCounts`): `means` and `factors` are `[cards, channels]`, and `counts` has the number of
    /// elements of a channel on each card. The running figures become `(1 - momentum)` times what they were, and `momentum` times
    /// the new ones.
    ///
    /// `a` is the operand of one card. The outputs come back as a tuple.
    #[doc(alias("aclnnBatchNormGatherStatsWithCounts", "aclnnBatchNormGatherStatsWithCountsGetWorkspaceSize"))]
    BatchNormGatherStatsWithCounts<T: Floating>,
        batch_norm_gather_stats_with_counts(
            a: in T, means: dense f32, factors: dense f32, running_mean: dense_inout f32, running_variance: dense_inout f32, momentum: attr f64,
            epsilon: attr f64, counts: dense f32, mean: dense_out f32, r: dense_out f32
        )
        = aclnnBatchNormGatherStatsWithCounts, aclnnBatchNormGatherStatsWithCountsGetWorkspaceSize, |op| check_outs(op, &a.dims, [&mean.dims, &r.dims])
            .and_then(|()| check_channels(op, &a.dims, [&running_mean.dims, &running_variance.dims]))
            .and_then(|()| counts.dims.check_beside(op, &a.dims, &[counts.dims.elements()]))
            .and_then(|()| [&means.dims, &factors.dims].into_iter().try_for_each(|one| one.check_beside(op, &a.dims, &[counts.dims.elements(), a.dims.size(1)])));
    /// Prepares `(a - mean) * r * weight + bias` of channels (`aclnnBatchNormElemt`).
    #[doc(alias("aclnnBatchNormElemt", "aclnnBatchNormElemtGetWorkspaceSize"))]
    BatchNormElemt<T: Floating>, batch_norm_elemt(a: in T, weight: dense f32, bias: dense f32, mean: dense f32, r: dense f32, epsilon: attr f64, out: out T)
        = aclnnBatchNormElemt, aclnnBatchNormElemtGetWorkspaceSize, |op| check_channels(op, &a.dims, [&weight.dims, &bias.dims, &mean.dims, &r.dims]).and(out.dims.check_same(op, &a.dims));
    /// Prepares the sums of the gradient of each channel, and of its products with `a - mean`, and the gradients by the weight and
    /// the bias (`aclnnBatchNormReduceBackward`). The outputs come back as a tuple.
    #[doc(alias("aclnnBatchNormReduceBackward", "aclnnBatchNormReduceBackwardGetWorkspaceSize"))]
    BatchNormReduceBackward<T: Floating>,
        batch_norm_reduce_backward(
            gradient: in T, a: in T, mean: dense f32, r: dense f32, weight: dense f32, input: (true) bool, by_weight: (true) bool,
            by_bias: (true) bool, sums: dense_out f32, products: dense_out f32, of_weight: dense_out f32, of_bias: dense_out f32
        )
        = aclnnBatchNormReduceBackward, aclnnBatchNormReduceBackwardGetWorkspaceSize, |op| check_channels(op, &a.dims, [&mean.dims, &r.dims, &weight.dims]).and(gradient.dims.check_beside(op, &a.dims, a.dims.sizes())).and(check_outs(op, &a.dims, [&sums.dims, &products.dims])).and(check_outs(op, &a.dims, [&of_weight.dims, &of_bias.dims]));
    /// Prepares the gradient of [`batch_norm_elemt`] by its operand (`aclnnBatchNormElemtBackward`), with the sums of all cards that
    /// [`batch_norm_reduce_backward`] gave. `counts` has the number of elements of a channel on each card.
    #[doc(alias("aclnnBatchNormElemtBackward", "aclnnBatchNormElemtBackwardGetWorkspaceSize"))]
    BatchNormElemtBackward<T: Floating>,
        batch_norm_elemt_backward(
            gradient: in T, a: in T, mean: dense f32, r: dense f32, weight: dense f32, sums: dense f32, products: dense f32, counts: dense f32, out: out T
        )
        = aclnnBatchNormElemtBackward, aclnnBatchNormElemtBackwardGetWorkspaceSize, |op| check_channels(op, &a.dims, [&mean.dims, &r.dims, &weight.dims, &sums.dims, &products.dims]).and(gradient.dims.check_beside(op, &a.dims, a.dims.sizes())).and(counts.dims.check_rank(op, 1)).and(out.dims.check_same(op, &a.dims));
    /// Prepares the gradient of tokens in the order of their experts (`aclnnMoeTokenPermuteGrad`): each token gets the sum of the
    /// gradients of its `k` rows. `sorted` are the indices that the operator gave, compared with the number of rows.
    #[doc(alias("aclnnMoeTokenPermuteGrad", "aclnnMoeTokenPermuteGradGetWorkspaceSize"))]
    MoeTokenPermuteGrad<T: Floating>,
        moe_token_permute_grad(gradient: dense T, sorted: dense_index i32, k: attr i64, padded: (false) bool, out: dense_out T)
        = aclnnMoeTokenPermuteGrad, aclnnMoeTokenPermuteGradGetWorkspaceSize, |op| check_sorted(op, &gradient.dims, sorted, k).and_then(|rows| out.dims.check_is(op, &gradient.dims, &[rows, gradient.dims.size(1)])).and(gradient.dims.check_filled(op, &out.dims));
    /// Prepares the gradients of the sums of the rows of each token, by the rows and by the probabilities
    /// (`aclnnMoeTokenUnpermuteGrad`). The outputs come back as a pair.
    ///
    /// `permuted` is `[n * k, h]`, the gradient `[n, h]`, and `probs` `[n, k]`. `sorted` are the indices of the operator, compared with
    /// the number of rows.
    #[doc(alias("aclnnMoeTokenUnpermuteGrad", "aclnnMoeTokenUnpermuteGradGetWorkspaceSize"))]
    MoeTokenUnpermuteGrad<T: Floating>,
        moe_token_unpermute_grad(
            permuted: dense T, gradient: dense T, sorted: dense_index i32, probs: maybe T, padded: (false) bool,
            shape: (None) Option<Ints>, out: dense_out T, of_probs: dense_out T
        )
        = aclnnMoeTokenUnpermuteGrad, aclnnMoeTokenUnpermuteGradGetWorkspaceSize, |op| given(op, &permuted.dims, probs.map(|probs| &probs.dims))
            .and_then(|probs| check_sorted(op, &permuted.dims, sorted, probs.size(1)).and_then(|rows| probs.check_beside(op, &permuted.dims, &[rows, probs.size(1)]).and(gradient.dims.check_beside(op, &permuted.dims, &[rows, permuted.dims.size(1)]))).and(of_probs.dims.check_same(op, probs)).and(permuted.dims.check_filled(op, &of_probs.dims))).and(out.dims.check_same(op, &permuted.dims));
    /// Prepares the gradients of [`rotary_position_embedding`](crate::op::rotary_position_embedding), by its operand and by the cosines and sines
    /// (`aclnnRotaryPositionEmbeddingGrad`). The outputs come back as a tuple.
    ///
    /// The gradient and the operand are `[a, b, c, elements]`. The angles have as many elements, and 1 or as many as the operand in the other
    /// dimensions.
    #[doc(alias("aclnnRotaryPositionEmbeddingGrad", "aclnnRotaryPositionEmbeddingGradGetWorkspaceSize"))]
    RotaryPositionEmbeddingGrad<T: Floating>,
        rotary_position_embedding_grad(
            gradient: dense T, cos: dense T, sin: dense T, a: maybe T, pairs: [Pairs: pairs as i64 => i64], out: dense_out T, of_cos: dense_out T,
            of_sin: dense_out T
        )
        = aclnnRotaryPositionEmbeddingGrad, aclnnRotaryPositionEmbeddingGradGetWorkspaceSize, |op| check_turned(op, &gradient.dims, &cos.dims, &sin.dims)
            .and_then(|()| given(op, &gradient.dims, a.map(|a| &a.dims))).and_then(|a| a.check_beside(op, &gradient.dims, gradient.dims.sizes())).and(out.dims.check_same(op, &gradient.dims))
            .and(of_cos.dims.check_same(op, &cos.dims)).and(of_sin.dims.check_same(op, &cos.dims)).and(gradient.dims.check_filled(op, &of_cos.dims));
}

/// Checks that there is a tensor that C lets a program leave out, but without which an output stays as it was.
fn given<'a>(operator: &'static str, operand: &Dims, tensor: Option<&'a Dims>) -> Result<&'a Dims> {
    let rule = "all operands are given, and none of them is `None`";
    tensor.ok_or_else(|| operand.numbers(operator, &[], rule))
}

/// Checks that figures have a number for each channel.
fn check_channels<const N: usize>(
    operator: &'static str,
    operand: &Dims,
    figures: [&Dims; N],
) -> Result<()> {
    if operand.rank < 2 {
        operand.check_rank(operator, 2)?;
    }
    let channels = [operand.size(1)];
    figures
        .into_iter()
        .try_for_each(|figure| figure.check_beside(operator, operand, &channels))
}

/// Checks that outputs have a number for each channel.
fn check_outs(operator: &'static str, operand: &Dims, outs: [&Dims; 2]) -> Result<()> {
    check_channels(operator, operand, [])?;
    let channels = [operand.size(1)];
    outs.into_iter().try_for_each(|out| {
        out.check_is(operator, operand, &channels)?;
        operand.check_filled(operator, out)
    })
}

/// Checks the indices of rows that are sorted by experts, of which a token has `k`. Returns the number of tokens.
fn check_sorted<X>(
    operator: &'static str,
    operand: &Dims,
    sorted: &Indices<'_, X, i32>,
    k: i64,
) -> Result<i64> {
    operand.check_rank(operator, 2)?;
    sorted.check_within(operator, operand.size(0))?;
    let places = &sorted.tensor.dims;
    let count = places.elements();
    places.check_beside(operator, operand, &[count])?;
    let rule = "the number of rows of a token divides the number of indices";
    operand.check_numbers(operator, &[k], |k| k > 0 && count % k == 0, rule)?;
    Ok(count / k)
}
