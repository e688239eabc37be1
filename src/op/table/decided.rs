//! Operators whose outputs have the size that the data decide.

use ascendcl_sys as sys;

use crate::error::{Result, Usage};
use crate::op::element::{Comparable, Element};
use crate::op::shape::Dims;
use crate::op::table::functions;
use crate::op::truth::Bool;

functions! {
    "The data decide how many elements are written. So the output has the largest shape that the result can have \
     ([`Buf::into_tensor_up_to`](crate::Buf::into_tensor_up_to)), and comes back as [`Counted`](crate::op::Counted) memory \
     with the shape that it really has. The second phase of CANN waits for the stream to learn it (opbase, July 2026). So \
     `launch` blocks there, and if it is refused, the next wait for the stream returns an error too.";
    /// Prepares the positions of the elements that differ from zero, a row for each, in the order of the elements
    /// (`aclnnNonzero`).
    ///
    /// `out` has a column for each dimension of `a`, and at least as many rows as `a` has elements.
    #[doc(alias("aclnnNonzero", "aclnnNonzeroGetWorkspaceSize"))]
    Nonzero<T: Comparable>, nonzero(a: in T, out: out_up_to i64)
        = aclnnNonzero, aclnnNonzeroGetWorkspaceSize, |op| check_positions(op, &a.dims, &out.dims);
    /// Prepares the elements of `a` where `mask` is true, one behind the other (`aclnnMaskedSelect`).
    ///
    /// The shapes of `a` and `mask` broadcast. `out` has one dimension, with as many elements as they have together.
    #[doc(alias("aclnnMaskedSelect", "aclnnMaskedSelectGetWorkspaceSize"))]
    MaskedSelect<T: Comparable>, masked_select(a: in T, mask: in Bool, out: out_up_to T)
        = aclnnMaskedSelect, aclnnMaskedSelectGetWorkspaceSize, |op| check_selected(op, &a.dims, &mask.dims, &out.dims);
    /// Prepares the different elements of `a`, for each element of `a` where it is among them, and how often each occurs
    /// (`aclnnUnique2`). With `sorted` they ascend.
    ///
    /// `values` and `counts` have one dimension, with as many elements as `a` has. `inverse` has the shape of `a`. The
    /// outputs come back as a tuple.
    #[doc(alias("aclnnUnique2", "aclnnUnique2GetWorkspaceSize"))]
    Unique2<T: Element>,
        unique2(
            a: in T, sorted: attr bool, return_inverse: (true) bool, return_counts: (true) bool, values: out_up_to T,
            inverse: out i64, counts: out_up_to i64
        )
        = aclnnUnique2, aclnnUnique2GetWorkspaceSize, |op| check_different(op, &a.dims, &values.dims, &inverse.dims, &counts.dims);
}

/// Checks that the output has a row for each element, and a column for each dimension.
fn check_positions(operator: &'static str, a: &Dims, out: &Dims) -> Result<()> {
    // CAST: at most 8.
    let (rows, columns) = (a.elements(), a.rank as i64);
    let given = out.size(0);
    a.check_filled(operator, out)?;
    out.check_is(operator, a, &[given.max(rows), columns])
}

/// Checks that the output has as many elements as both operands have together.
fn check_selected(operator: &'static str, a: &Dims, mask: &Dims, out: &Dims) -> Result<()> {
    let at = |dims: &Dims, from_last: usize| {
        let sizes = dims.sizes();
        sizes.iter().rev().nth(from_last).copied().unwrap_or(1)
    };
    let size = |from_last: usize| match (at(a, from_last), at(mask, from_last)) {
        (1, size) | (size, 1) => Some(size),
        (one, other) => (one == other).then_some(one),
    };
    let together = (0..a.rank.max(mask.rank)).try_fold(1, |elements: i64, from_last| {
        Some(elements.saturating_mul(size(from_last)?))
    });
    let Some(together) = together else {
        let wrong = Usage::Broadcast {
            operator,
            operands: vec![a.to_vec(), mask.to_vec()],
            output: out.to_vec(),
        };
        return Err(wrong.into());
    };
    a.check_filled(operator, out)?;
    mask.check_filled(operator, out)?;
    out.check_is(operator, a, &[together])
}

/// Checks that the outputs have room for as many different elements as there are elements.
pub(super) fn check_different(
    operator: &'static str,
    a: &Dims,
    values: &Dims,
    inverse: &Dims,
    counts: &Dims,
) -> Result<()> {
    a.check_filled(operator, values)?;
    values.check_is(operator, a, &[a.elements()])?;
    counts.check_is(operator, a, &[a.elements()])?;
    inverse.check_same(operator, a)
}
