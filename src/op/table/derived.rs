//! Further gradients, and figures of channels of several cards.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::Floating;
use crate::op::parameter::{In, Text};
use crate::op::shape::Dims;
use crate::op::table::backward::check_by_channels;
use crate::op::table::functions;
use crate::op::table::norm::check_groups;
use crate::op::truth::Bool;

functions! {
    "`gradient` is the gradient of the result.";
    /// Prepares the gradients of [`prelu`](crate::op::operators::Prelu) by the operand and by the weight (`aclnnPreluBackward`).
    /// There is one weight for all, or one for each channel, which is the second dimension. The outputs come back as a pair.
    #[doc(alias("aclnnPreluBackward", "aclnnPreluBackwardGetWorkspaceSize"))]
    PreluBackward<T: Floating>, prelu_backward(gradient: in T, a: in T, weight: in T, out: out T, of_weight: out T)
        = aclnnPreluBackward, aclnnPreluBackwardGetWorkspaceSize, |op| gradient.dims.check_beside(op, &a.dims, a.dims.sizes()).and_then(|()| check_weight(op, &a.dims, &weight.dims)).and(out.dims.check_same(op, &a.dims)).and(of_weight.dims.check_same(op, &weight.dims)).and(a.dims.check_filled(op, &of_weight.dims));
    /// Prepares the gradient of the softmax of `scale * a` where the mask is false, from its result `y`
    /// (`aclnnScaledMaskedSoftmaxBackward`). The mask broadcasts to the four dimensions.
    #[doc(alias("aclnnScaledMaskedSoftmaxBackward", "aclnnScaledMaskedSoftmaxBackwardGetWorkspaceSize"))]
    ScaledMaskedSoftmaxBackward<T: Floating>,
        scaled_masked_softmax_backward(gradient: in T, y: in T, mask: in Bool, scale: attr f64, triangle: (false) bool, out: out T)
        = aclnnScaledMaskedSoftmaxBackward, aclnnScaledMaskedSoftmaxBackwardGetWorkspaceSize, |op| y.dims.check_rank(op, 4).and_then(|()| gradient.dims.check_beside(op, &y.dims, y.dims.sizes())).and_then(|()| out.dims.check_broadcast(op, &y.dims, &mask.dims)).and(out.dims.check_same(op, &y.dims));
    /// Prepares the gradient of the distances of each row of `a` and each row of `b`, by `a` (`aclnnCdistBackward`). `distances`
    /// are those, the norms of the order `p`.
    #[doc(alias("aclnnCdistBackward", "aclnnCdistBackwardGetWorkspaceSize"))]
    CdistBackward<T: Floating>, cdist_backward(gradient: in T, a: in T, b: in T, distances: in T, p: attr f32, out: out T)
        = aclnnCdistBackward, aclnnCdistBackwardGetWorkspaceSize, |op| check_far(op, &a.dims, &b.dims, [&gradient.dims, &distances.dims]).and_then(|()| out.dims.check_same(op, &a.dims));
    /// Prepares the sums over the second of three dimensions (`aclnnGroupedBiasAddGrad`).
    #[doc(alias("aclnnGroupedBiasAddGrad", "aclnnGroupedBiasAddGradGetWorkspaceSize"))]
    GroupedBiasAddGrad<T: Floating>, grouped_bias_add_grad(gradient: in T, ends: (None) Option<In<i32>>, out: out T)
        = aclnnGroupedBiasAddGrad, aclnnGroupedBiasAddGradGetWorkspaceSize, |op| gradient.dims.check_rank(op, 3).and_then(|()| out.dims.check_is(op, &gradient.dims, &[gradient.dims.size(0), gradient.dims.size(2)])).and_then(|()| gradient.dims.check_filled(op, &out.dims));
    /// Prepares the gradient of the windows of the dimension `axis` of a tensor of the sizes `sizes` (`aclnnUnfoldGrad`): each
    /// has `size` elements, which are the last dimension of `gradient`, and starts `step` elements behind the one before it.
    #[doc(alias("aclnnUnfoldGrad", "aclnnUnfoldGradGetWorkspaceSize"))]
    UnfoldGrad<T: Floating>,
        unfold_grad(gradient: in T, sizes: ints, axis: attr i64, size: attr i64, step: attr i64, out: out T)
        = aclnnUnfoldGrad, aclnnUnfoldGradGetWorkspaceSize, |op| out.dims.check_is(op, &gradient.dims, sizes).and_then(|()| check_windows(op, &gradient.dims, axis, [size, step], &out.dims));
    /// Prepares the gradients of the norm of groups of channels times its sigmoid of `scale` times it, by the operand, by `gamma`
    /// and by `beta` (`aclnnGroupNormSwishGrad`).
    ///
    /// The operand is `[n, channels, ..]`, `gamma` and `beta` have a number for each channel, and the mean and the factors `r` of
    /// the norm are `[n, groups]`. The outputs come back as a tuple.
    #[doc(alias("aclnnGroupNormSwishGrad", "aclnnGroupNormSwishGradGetWorkspaceSize"))]
    GroupNormSwishGrad<T: Floating>,
        group_norm_swish_grad(gradient: in T, mean: in T, r: in T, a: in T, gamma: dense T, beta: dense T, groups: [usize: groups.cast_signed() as i64 => i64], format: (c"NCHW") Text, scale: attr f64, wants_gamma: (true) bool, wants_beta: (true) bool, out: out T, of_gamma: out T, of_beta: out T)
        = aclnnGroupNormSwishGrad, aclnnGroupNormSwishGradGetWorkspaceSize, |op| check_groups(op, &a.dims, groups, [&gamma.dims, &beta.dims].into_iter(), &out.dims, [&mean.dims, &r.dims]).and_then(|()| gradient.dims.check_beside(op, &a.dims, a.dims.sizes())).and_then(|()| check_by_channels(op, &a.dims, [&of_gamma.dims, &of_beta.dims]));
    /// Prepares the gradients of `a * (1 + scale) + shift` of rows `[n, l, d]`, by all three (`aclnnModulateBackward`). The scale
    /// and the shift are `[n, d]`, and so are their gradients. The outputs come back as a tuple.
    #[doc(alias("aclnnModulateBackward", "aclnnModulateBackwardGetWorkspaceSize"))]
    ModulateBackward<T: Floating>,
        modulate_backward(gradient: in T, a: in T, scale: in T, shift: in T, out: out T, of_scale: out T, of_shift: out T)
        = aclnnModulateBackward, aclnnModulateBackwardGetWorkspaceSize, |op| a.dims.check_rank(op, 3).and_then(|()| gradient.dims.check_beside(op, &a.dims, a.dims.sizes())).and(out.dims.check_same(op, &a.dims)).and_then(|()| check_of_batches(op, &a.dims, [&scale.dims, &shift.dims, &of_scale.dims, &of_shift.dims])).and_then(|()| a.dims.check_filled(op, &of_scale.dims));
    /// Prepares the mean and `r = 1 / sqrt(variance + epsilon)` of each channel from the sums, the sums of squares and the counts
    /// of elements of several cards (`aclnnSyncBatchNormGatherStats`).
    ///
    /// The sums are `[cards, channels]`. The running mean and variance of the channels come closer to those that were found by
    /// `momentum`, in place. The outputs come back as a tuple: the running ones, the mean and `r`.
    #[doc(alias("aclnnSyncBatchNormGatherStats", "aclnnSyncBatchNormGatherStatsGetWorkspaceSize"))]
    SyncBatchNormGatherStats<T: Floating>,
        sync_batch_norm_gather_stats(sums: in T, squares: in T, counts: in i32, mean: inout T, variance: inout T, momentum: attr f32, epsilon: attr f32, out: out T, r: out T)
        = aclnnSyncBatchNormGatherStats, aclnnSyncBatchNormGatherStatsGetWorkspaceSize, |op| sums.dims.check_rank(op, 2).and_then(|()| squares.dims.check_beside(op, &sums.dims, sums.dims.sizes())).and_then(|()| counts.dims.check_beside(op, &sums.dims, &[sums.dims.size(0)])).and_then(|()| [&mean.dims, &variance.dims, &out.dims, &r.dims].into_iter().try_for_each(|one| one.check_is(op, &sums.dims, &[sums.dims.size(1)]))).and_then(|()| sums.dims.check_filled(op, &out.dims));
}

/// Checks that there is one weight, or one for each channel.
fn check_weight(operator: &'static str, operand: &Dims, weight: &Dims) -> Result<()> {
    match operand.sizes() {
        _ if weight.elements() == 1 => Ok(()),
        [_, channels, ..] => weight.check_beside(operator, operand, &[*channels]),
        _ => weight.check_beside(operator, operand, &[1]),
    }
}

/// Checks that there is a number for each row of one operand and each row of the other one.
fn check_far(operator: &'static str, a: &Dims, b: &Dims, numbers: [&Dims; 2]) -> Result<()> {
    let ([outer @ .., rows, width], [.., columns, _]) = (a.sizes(), b.sizes()) else {
        return a.check_rank(operator, 2).and(b.check_rank(operator, 2));
    };
    b.check_beside(operator, a, &[outer, &[*columns, *width]].concat())?;
    let expected = [outer, &[*rows, *columns]].concat();
    numbers
        .into_iter()
        .try_for_each(|one| one.check_beside(operator, a, &expected))
}

/// Checks that the gradient has the windows of a dimension of the output.
fn check_windows(
    operator: &'static str,
    gradient: &Dims,
    axis: i64,
    [size, step]: [i64; 2],
    out: &Dims,
) -> Result<()> {
    let axis = out.axis(operator, axis)?;
    let length = out.size(axis);
    if step < 1 || !(1..=length).contains(&size) {
        let rule = "the elements of a window, which the dimension has, and a step, both at least 1";
        return Err(out.numbers(operator, &[size, step], rule));
    }
    let mut expected = out.sizes().to_vec();
    if let Some(windows) = expected.get_mut(axis) {
        *windows = (length - size) / step + 1;
    }
    expected.push(size);
    gradient.check_beside(operator, out, &expected)
}

/// Checks that there is a row for each batch.
fn check_of_batches(operator: &'static str, operand: &Dims, ones: [&Dims; 4]) -> Result<()> {
    let expected = [operand.size(0), operand.size(2)];
    ones.into_iter()
        .try_for_each(|one| one.check_beside(operator, operand, &expected))
}
