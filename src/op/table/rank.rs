//! Ranks, and places among sorted elements.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::{Arithmetic, Floating, IndexElement, Numeric};
use crate::op::parameter::In;
use crate::op::shape::Dims;
use crate::op::table::functions;

functions! {
    "A dimension counts from 0, or from the end by -1, -2 and so on. With `keep` an output has one element in the dimension that \
     is taken away, without it that dimension is left out.";
    /// Prepares the `k`-th smallest element over the dimension `axis`, and where it stands (`aclnnKthvalue`); 1 is the smallest
    /// one. The outputs come back as a pair.
    #[doc(alias("aclnnKthvalue", "aclnnKthvalueGetWorkspaceSize"))]
    Kthvalue<T: Arithmetic>,
        kthvalue(a: in T, k: [usize: k.cast_signed() as i64 => i64], axis: attr i64, keep: attr bool, values: out T, indices: out i64)
        = aclnnKthvalue, aclnnKthvalueGetWorkspaceSize, |op| check_rank(op, &a.dims, k, axis).and_then(|()| check_pair(op, &a.dims, (axis, keep), [&values.dims, &indices.dims]));
    /// Prepares the median of all elements (`aclnnMedian`): the lower one of both in the middle, or NaN if there is one. The output
    /// has no dimension.
    #[doc(alias("aclnnMedian", "aclnnMedianGetWorkspaceSize"))]
    Median<T: Arithmetic>, median(a: in T, out: out T)
        = aclnnMedian, aclnnMedianGetWorkspaceSize, |op| check_one(op, &a.dims, &out.dims);
    /// Prepares the median over the dimension `axis`, and where it stands (`aclnnMedianDim`). The outputs come back as a pair.
    #[doc(alias("aclnnMedianDim", "aclnnMedianDimGetWorkspaceSize"))]
    MedianDim<T: Arithmetic>, median_dim(a: in T, axis: attr i64, keep: attr bool, values: out T, indices: out i64)
        = aclnnMedianDim, aclnnMedianDimGetWorkspaceSize, |op| check_pair(op, &a.dims, (axis, keep), [&values.dims, &indices.dims]);
    /// Prepares the median of all elements that are numbers (`aclnnNanMedian`). The output has no dimension.
    #[doc(alias("aclnnNanMedian", "aclnnNanMedianGetWorkspaceSize"))]
    NanMedian<T: Arithmetic>, nan_median(a: in T, out: out T)
        = aclnnNanMedian, aclnnNanMedianGetWorkspaceSize, |op| check_one(op, &a.dims, &out.dims);
    /// Prepares the median of the numbers over the dimension `axis`, and where it stands (`aclnnNanMedianDim`). The outputs come
    /// back as a pair.
    #[doc(alias("aclnnNanMedianDim", "aclnnNanMedianDimGetWorkspaceSize"))]
    NanMedianDim<T: Arithmetic>, nan_median_dim(a: in T, axis: attr i64, keep: attr bool, values: out T, indices: out i64)
        = aclnnNanMedianDim, aclnnNanMedianDimGetWorkspaceSize, |op| check_pair(op, &a.dims, (axis, keep), [&values.dims, &indices.dims]);
    /// Prepares how many elements lie in each part of the range from `min` to `max` (`aclnnHistc`): the parts are as many as the
    /// output, a vector, has elements. If both limits are equal, the smallest and the largest element are the limits.
    #[doc(alias("aclnnHistc", "aclnnHistcGetWorkspaceSize"))]
    Histc<T: Numeric>, histc(a: in T, bins: (out.dims.size(0)) i64, min: scalar T, max: scalar T, out: out T)
        = aclnnHistc, aclnnHistcGetWorkspaceSize, |op| check_parts(op, &a.dims, &out.dims);
    /// Prepares for each element the place among sorted ones where it would stand, behind its equals if `right`
    /// (`aclnnSearchSorted`). `sorted` is a vector, or has a row for each row of `a`.
    #[doc(alias("aclnnSearchSorted", "aclnnSearchSortedGetWorkspaceSize"))]
    SearchSorted<T: Numeric, I: IndexElement>,
        search_sorted(sorted: in T, a: in T, short: (I::DATA_TYPE == sys::ACL_INT32) bool, right: attr bool, sorter: (None) Option<In<i64>>, out: out I)
        = aclnnSearchSorted, aclnnSearchSortedGetWorkspaceSize, |op| check_rows(op, &sorted.dims, &a.dims).and_then(|()| out.dims.check_same(op, &a.dims));
    /// Prepares the place among the elements of a sorted vector where a number of the host would stand, behind its equals if `right`
    /// (`aclnnSearchSorteds`). The output has no dimension.
    #[doc(alias("aclnnSearchSorteds", "aclnnSearchSortedsGetWorkspaceSize"))]
    SearchSorteds<T: Numeric, I: IndexElement>,
        search_sorteds(sorted: in T, a: scalar T, short: (I::DATA_TYPE == sys::ACL_INT32) bool, right: attr bool, sorter: (None) Option<In<i64>>, out: out I)
        = aclnnSearchSorteds, aclnnSearchSortedsGetWorkspaceSize, |op| sorted.dims.check_rank(op, 1).and_then(|()| out.dims.check_is(op, &sorted.dims, &[]));
    /// Prepares for each element the place among sorted boundaries, a vector, where it would stand, behind its equals if `right`
    /// (`aclnnBucketize`).
    #[doc(alias("aclnnBucketize", "aclnnBucketizeGetWorkspaceSize"))]
    Bucketize<T: Numeric, I: IndexElement>,
        bucketize(a: in T, boundaries: in T, short: (I::DATA_TYPE == sys::ACL_INT32) bool, right: attr bool, out: out I)
        = aclnnBucketize, aclnnBucketizeGetWorkspaceSize, |op| boundaries.dims.check_rank(op, 1).and_then(|()| out.dims.check_same(op, &a.dims));
    /// Prepares the distance of each row of `a` and each row of `b`: the norm of the order `p` of their difference (`aclnnCdist`).
    ///
    /// `[.., n, w]` and `[.., m, w]` give `[.., n, m]`, with the same dimensions in front.
    #[doc(alias("aclnnCdist", "aclnnCdistGetWorkspaceSize"))]
    Cdist<T: Floating>, cdist(a: in T, b: in T, p: attr f32, mode: (0) i64, out: out T)
        = aclnnCdist, aclnnCdistGetWorkspaceSize, |op| check_distances(op, &a.dims, &b.dims, &out.dims);
    /// Prepares the products of vectors of three numbers, which are orthogonal to both (`aclnnLinalgCross`). The dimension `axis` has
    /// the three numbers.
    #[doc(alias("aclnnLinalgCross", "aclnnLinalgCrossGetWorkspaceSize"))]
    LinalgCross<T: Floating>, linalg_cross(a: in T, b: in T, axis: attr i64, out: out T)
        = aclnnLinalgCross, aclnnLinalgCrossGetWorkspaceSize, |op| b.dims.check_beside(op, &a.dims, a.dims.sizes()).and_then(|()| check_threes(op, &a.dims, axis)).and(out.dims.check_same(op, &a.dims));
}

/// Checks that a dimension has so many elements.
fn check_rank(operator: &'static str, operand: &Dims, k: usize, axis: i64) -> Result<()> {
    let size = operand.size(operand.axis(operator, axis)?);
    let rank = k.cast_signed() as i64;
    operand.check_numbers(
        operator,
        &[rank],
        |rank| (1..=size).contains(&rank),
        "a rank from 1 to the size of the dimension",
    )
}

/// Checks both outputs of a reduction along a dimension.
fn check_pair(
    operator: &'static str,
    operand: &Dims,
    (axis, keep): (i64, bool),
    outputs: [&Dims; 2],
) -> Result<()> {
    for output in outputs {
        output.check_reduced(operator, operand, &[axis], keep)?;
        operand.check_filled(operator, output)?;
    }
    Ok(())
}

/// Checks an output for all elements.
fn check_one(operator: &'static str, operand: &Dims, output: &Dims) -> Result<()> {
    output.check_is(operator, operand, &[])?;
    operand.check_filled(operator, output)
}

/// Checks that the output is a vector with elements.
fn check_parts(operator: &'static str, operand: &Dims, output: &Dims) -> Result<()> {
    output.check_rank(operator, 1)?;
    output.check_numbers(
        operator,
        output.sizes(),
        |size| size > 0,
        "at least one part",
    )?;
    operand.check_filled(operator, output)
}

/// Checks that there is one row of sorted elements, or one for each row.
fn check_rows(operator: &'static str, sorted: &Dims, operand: &Dims) -> Result<()> {
    match sorted.sizes() {
        [_] => Ok(()),
        [rows @ .., _] => {
            let last = operand.last(1);
            operand.check_beside(operator, sorted, &[rows, last].concat())
        }
        [] => sorted.check_rank(operator, 1),
    }
}

/// Checks the shapes of rows, and of their distances.
fn check_distances(operator: &'static str, a: &Dims, b: &Dims, out: &Dims) -> Result<()> {
    if a.rank < 2 {
        a.check_rank(operator, 2)?;
    }
    let (outer, last) = a.sizes().split_at(a.rank - 2);
    let (rows, width) = (
        b.size(b.rank.saturating_sub(2)),
        last.get(1).copied().unwrap_or(1),
    );
    let expected = [outer, &[rows, width]].concat();
    b.check_beside(operator, a, &expected)?;
    let expected = [outer, &[a.size(a.rank - 2), rows]].concat();
    out.check_is(operator, a, &expected)?;
    a.check_filled(operator, out)
}

/// Checks that a dimension has three numbers.
fn check_threes(operator: &'static str, operand: &Dims, axis: i64) -> Result<()> {
    let size = operand.size(operand.axis(operator, axis)?);
    operand.check_numbers(
        operator,
        &[size],
        |size| size == 3,
        "three numbers in the dimension",
    )
}
