//! Operators that take and put single elements.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::{Arithmetic, Comparable, IndexElement, Movable, Numeric};
use crate::op::positions::Positions;
use crate::op::shape::Dims;
use crate::op::table::functions;
use crate::op::table::index::check_places;
use crate::op::truth::Bool;

functions! {
    "A dimension counts from 0, or from the end by -1, -2 and so on. Indices were compared with a bound by \
     [`Tensor::indices`](crate::op::Tensor::indices), positions by [`Tensor::positions`](crate::op::Tensor::positions).";
    /// Prepares the elements at `index` of `a` as one row (`aclnnTake`). The output has the shape of the indices.
    #[doc(alias("aclnnTake", "aclnnTakeGetWorkspaceSize"))]
    Take<T: Comparable, I: IndexElement>, take(a: in T, index: index I, out: out T)
        = aclnnTake, aclnnTakeGetWorkspaceSize, |op| index.check_within(op, a.dims.elements()).and(out.dims.check_is(op, &a.dims, index.tensor.dims.sizes()));
    /// Prepares the elements of `source` at `index` of `a` as one row, in place (`aclnnInplacePut`). With `accumulate` they are
    /// added. The source has as many elements as the indices.
    #[doc(alias("aclnnInplacePut", "aclnnInplacePutGetWorkspaceSize"))]
    InplacePut<T: Arithmetic, I: IndexElement>, inplace_put(a: inout T, index: index I, source: in T, accumulate: attr bool)
        = aclnnInplacePut, aclnnInplacePutGetWorkspaceSize, |op| index.check_within(op, a.dims.elements()).and(check_as_many(op, &source.dims, index.tensor.dims.elements()));
    /// Prepares parts of `a` at positions of its first dimensions (`aclnnGatherNd`). A position is the last dimension of
    /// `positions`; the output has the other dimensions of `positions`, and behind them the other dimensions of `a`.
    #[doc(alias("aclnnGatherNd", "aclnnGatherNdGetWorkspaceSize"))]
    GatherNd<T: Movable, I: IndexElement>, gather_nd(a: in T, positions: positions I, wraps: (false) bool, out: out T)
        = aclnnGatherNd, aclnnGatherNdGetWorkspaceSize, |op| check_positions(op, &a.dims, positions, &out.dims);
    /// Prepares the elements of `source`, one after the other, where `mask` is true, in place (`aclnnInplaceMaskedScatter`). The
    /// mask broadcasts to the shape of `a`, and the source has at least as many elements as `a`.
    #[doc(alias("aclnnInplaceMaskedScatter", "aclnnInplaceMaskedScatterGetWorkspaceSize"))]
    InplaceMaskedScatter<T: Comparable>, inplace_masked_scatter(a: inout T, mask: in Bool, source: in T)
        = aclnnInplaceMaskedScatter, aclnnInplaceMaskedScatterGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &mask.dims).and_then(|()| check_enough(op, &source.dims, &a.dims));
    /// Prepares `a` with `value` at the places of the indices, with the index instead of the place in the dimension `axis`
    /// (`aclnnScatterValue`).
    #[doc(alias("aclnnScatterValue", "aclnnScatterValueGetWorkspaceSize"))]
    ScatterValue<T: Numeric, I: IndexElement>,
        scatter_value(a: in T, axis: attr i64, index: index I, value: scalar T, reduction: (0) i64, out: out T)
        = aclnnScatterValue, aclnnScatterValueGetWorkspaceSize, |op| check_places(op, &a.dims, axis, index, None).and(out.dims.check_same(op, &a.dims)).and(index.tensor.dims.check_filled(op, &out.dims));
    /// Prepares `value` at the places of the indices in `a`, with the index instead of the place in the dimension `axis`, in place
    /// (`aclnnInplaceScatterValue`).
    #[doc(alias("aclnnInplaceScatterValue", "aclnnInplaceScatterValueGetWorkspaceSize"))]
    InplaceScatterValue<T: Numeric, I: IndexElement>,
        inplace_scatter_value(a: inout T, axis: attr i64, index: index I, value: scalar T, reduction: (0) i64)
        = aclnnInplaceScatterValue, aclnnInplaceScatterValueGetWorkspaceSize, |op| check_places(op, &a.dims, axis, index, None);
    /// Prepares a vector with each element `repeats` times (`aclnnRepeatInterleaveInt`).
    #[doc(alias("aclnnRepeatInterleaveInt", "aclnnRepeatInterleaveIntGetWorkspaceSize"))]
    RepeatInterleaveInt<T: Movable>,
        repeat_interleave_int(a: in T, repeats: [usize: repeats.cast_signed() as i64 => i64], size: (out.dims.size(0)) i64, out: out T)
        = aclnnRepeatInterleaveInt, aclnnRepeatInterleaveIntGetWorkspaceSize, |op| check_repeated(op, &a.dims, repeats, &out.dims);
}

/// Checks that a source has an element for each index.
fn check_as_many(operator: &'static str, source: &Dims, count: i64) -> Result<()> {
    let rule = "as many elements as there are indices";
    source.check_numbers(operator, &[count], |count| count == source.elements(), rule)
}

/// Checks that a source has an element for each one of a tensor, all of which a mask may choose.
pub(super) fn check_enough(operator: &'static str, source: &Dims, operand: &Dims) -> Result<()> {
    let rule = "at most as many elements as the source has";
    let count = operand.elements();
    source.check_numbers(operator, &[count], |count| count <= source.elements(), rule)
}

/// Checks that the output has a part for each position.
fn check_positions<X, I: IndexElement>(
    operator: &'static str,
    operand: &Dims,
    positions: &Positions<'_, X, I>,
    out: &Dims,
) -> Result<()> {
    positions.check_within(operator, operand)?;
    let places = &positions.tensor.dims;
    let rows = places
        .sizes()
        .split_last()
        .map_or(&[][..], |(_, rows)| rows);
    let parts = operand.sizes().get(positions.below().len()..);
    out.check_is(
        operator,
        operand,
        &[rows, parts.unwrap_or_default()].concat(),
    )?;
    operand.check_filled(operator, out)
}

/// Checks a vector of repeated elements.
fn check_repeated(
    operator: &'static str,
    operand: &Dims,
    repeats: usize,
    out: &Dims,
) -> Result<()> {
    let count = operand
        .elements()
        .saturating_mul(repeats.cast_signed() as i64);
    out.check_is(operator, operand, &[count])
}
