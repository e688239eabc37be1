//! Operators that take and put elements by indices.

use ascendcl_sys as sys;

use crate::error::{Error, Result, Usage};
use crate::op::element::{Arithmetic, Comparable, Element, IndexElement, Numeric};
use crate::op::indices::Indices;
use crate::op::shape::Dims;
use crate::op::table::functions;

/// How [`scatter`] joins an element with the one that is there (`reduce` of `aclnn_scatter.h`, CANN 8.1).
///
/// ```
/// use ascendcl::op::Reduction;
///
/// let counters = Reduction::Add; // elements at the same index are added up
/// assert_eq!(Reduction::default(), Reduction::Replace);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(i64)]
pub enum Reduction {
    /// The new one replaces it.
    #[default]
    Replace = 0,
    /// Their sum.
    Add = 1,
    /// Their product.
    Multiply = 2,
}

functions! {
    "A dimension counts from 0, or from the end by -1, -2 and so on. Indices were compared with a bound by \
     [`Tensor::indices`](crate::op::Tensor::indices).";
    /// Prepares the elements at `index` of the dimension `axis` (`aclnnIndexSelect`). The indices are a vector, and
    /// the output has as many elements in that dimension.
    #[doc(alias("aclnnIndexSelect", "aclnnIndexSelectGetWorkspaceSize"))]
    IndexSelect<T: Element, I: IndexElement>, index_select(a: in T, axis: attr i64, index: dense_index I, out: dense_out T)
        = aclnnIndexSelect, aclnnIndexSelectGetWorkspaceSize, |op| check_taken(op, &a.dims, axis, index, 1).and(out.dims.check_replaced(op, &a.dims, axis, index.tensor.dims.sizes()));
    /// Prepares the elements at `index` of the dimension `axis` (`aclnnGatherV2`). The output has the dimensions of
    /// the indices instead of `axis`.
    #[doc(alias("aclnnGatherV2", "aclnnGatherV2GetWorkspaceSize"))]
    GatherV2<T: Comparable, I: IndexElement>, gather_v2(a: in T, axis: attr i64, index: index I, out: dense_out T)
        = aclnnGatherV2, aclnnGatherV2GetWorkspaceSize, |op| check_taken(op, &a.dims, axis, index, index.tensor.dims.rank).and(out.dims.check_replaced(op, &a.dims, axis, index.tensor.dims.sizes()));
    /// Prepares for each index the element at its place, with the index instead of the place in the dimension `axis`
    /// (`aclnnGather`). The output has the shape of the indices.
    #[doc(alias("aclnnGather", "aclnnGatherGetWorkspaceSize"))]
    Gather<T: Element, I: IndexElement>, gather(a: in T, axis: attr i64, index: index I, out: out T)
        = aclnnGather, aclnnGatherGetWorkspaceSize, |op| check_places(op, &a.dims, axis, index, None).and(out.dims.check_is(op, &a.dims, index.tensor.dims.sizes()));
    /// Prepares the rows of `table` at the indices (`aclnnEmbedding`): the output has the dimensions of the indices,
    /// and the rows as its last one.
    #[doc(alias("aclnnEmbedding", "aclnnEmbeddingGetWorkspaceSize"))]
    Embedding<T: Comparable, I: IndexElement>, embedding(table: in T, index: index I, out: out T)
        = aclnnEmbedding, aclnnEmbeddingGetWorkspaceSize, |op| table.dims.check_rank(op, 2).and_then(|()| check_taken(op, &table.dims, 0, index, index.tensor.dims.rank)).and(out.dims.check_replaced(op, &table.dims, 0, index.tensor.dims.sizes()));
    /// Prepares `a` with `alpha * source` added at `index` of the dimension `axis` (`aclnnIndexAdd`). The indices are
    /// a vector.
    #[doc(alias("aclnnIndexAdd", "aclnnIndexAddGetWorkspaceSize"))]
    IndexAdd<T: Arithmetic, I: IndexElement>,
        index_add(a: in T, axis: attr i64, index: index I, source: dense T, alpha: scalar T, out: out T)
        = aclnnIndexAdd, aclnnIndexAddGetWorkspaceSize, |op| check_taken(op, &a.dims, axis, index, 1).and_then(|()| source.dims.check_source(op, &a.dims, axis, index.tensor.dims.sizes())).and(out.dims.check_same(op, &a.dims)).and(source.dims.check_filled(op, &out.dims));
    /// Prepares `source` at `index` of the dimension `axis` of `a`, in place (`aclnnInplaceIndexCopy`). The indices
    /// are a vector.
    #[doc(alias("aclnnInplaceIndexCopy", "aclnnInplaceIndexCopyGetWorkspaceSize"))]
    InplaceIndexCopy<T: Comparable, I: IndexElement>,
        inplace_index_copy(a: inout T, axis: attr i64, index: index I, source: in T)
        = aclnnInplaceIndexCopy, aclnnInplaceIndexCopyGetWorkspaceSize, |op| check_taken(op, &a.dims, axis, index, 1).and_then(|()| source.dims.check_source(op, &a.dims, axis, index.tensor.dims.sizes()));
    /// Prepares `value` at the indices of the host in the dimension `axis` of `a`, in place
    /// (`aclnnInplaceIndexFillTensor`).
    #[doc(alias("aclnnInplaceIndexFillTensor", "aclnnInplaceIndexFillTensorGetWorkspaceSize"))]
    InplaceIndexFillTensor<T: Numeric>,
        inplace_index_fill_tensor(a: only_inout T, axis: attr i64, index: ints, value: scalar T)
        = aclnnInplaceIndexFillTensor, aclnnInplaceIndexFillTensorGetWorkspaceSize, |op| check_numbers(op, &a.dims, axis, index);
    /// Prepares `a` with the elements of `source` at the places of the indices, with the index instead of the place
    /// in the dimension `axis` (`aclnnScatter`).
    #[doc(alias("aclnnScatter", "aclnnScatterGetWorkspaceSize"))]
    Scatter<T: Comparable, I: IndexElement>,
        scatter(a: in T, axis: attr i64, index: index I, source: in T, reduction: [Reduction: reduction as i64 => i64], out: out T)
        = aclnnScatter, aclnnScatterGetWorkspaceSize, |op| check_places(op, &a.dims, axis, index, Some(&source.dims)).and(out.dims.check_same(op, &a.dims)).and(index.tensor.dims.check_filled(op, &out.dims));
    /// Prepares the elements of `source` at the places of the indices in `a`, with the index instead of the place in
    /// the dimension `axis` (`aclnnInplaceScatter`).
    #[doc(alias("aclnnInplaceScatter", "aclnnInplaceScatterGetWorkspaceSize"))]
    InplaceScatter<T: Comparable, I: IndexElement>,
        inplace_scatter(a: inout T, axis: attr i64, index: index I, source: in T, reduction: [Reduction: reduction as i64 => i64])
        = aclnnInplaceScatter, aclnnInplaceScatterGetWorkspaceSize, |op| check_places(op, &a.dims, axis, index, Some(&source.dims));
    /// Prepares `a` with the elements of `source` added at the places of the indices (`aclnnScatterAdd`).
    #[doc(alias("aclnnScatterAdd", "aclnnScatterAddGetWorkspaceSize"))]
    ScatterAdd<T: Arithmetic, I: IndexElement>,
        scatter_add(a: in T, axis: attr i64, index: index I, source: dense T, out: dense_out T)
        = aclnnScatterAdd, aclnnScatterAddGetWorkspaceSize, |op| check_places(op, &a.dims, axis, index, Some(&source.dims)).and(out.dims.check_same(op, &a.dims)).and(index.tensor.dims.check_filled(op, &out.dims));
}

/// Checks that the indices have `rank` dimensions and lie within the dimension `axis`.
pub(super) fn check_taken<X, I: IndexElement, L>(
    operator: &'static str,
    operand: &Dims,
    axis: i64,
    index: &Indices<'_, X, I, L>,
    rank: usize,
) -> Result<()> {
    index.tensor.dims.check_rank(operator, rank)?;
    let axis = operand.axis(operator, axis)?;
    index.check_within(operator, operand.size(axis))
}

/// Checks that the indices lie within the dimension `axis`, and that each has a place in the other dimensions of the
/// operand and in all of the source.
pub(super) fn check_places<X, I: IndexElement, L>(
    operator: &'static str,
    operand: &Dims,
    axis: i64,
    index: &Indices<'_, X, I, L>,
    source: Option<&Dims>,
) -> Result<()> {
    let places = &index.tensor.dims;
    check_taken(operator, operand, axis, index, operand.rank)?;
    let axis = operand.axis(operator, axis)?;
    let beside = |dims: &Dims, whole: bool, rule: &'static str| -> Result<()> {
        let sizes = places.sizes().iter().zip(dims.sizes()).enumerate();
        let mut sizes = sizes.filter(|(dim, _)| whole || *dim != axis);
        if dims.rank == places.rank && sizes.all(|(_, (count, size))| count <= size) {
            return Ok(());
        }
        Err(dims.numbers(operator, places.sizes(), rule))
    };
    let in_operand =
        "the sizes of the indices, none of them larger than the operand's in another dimension";
    let in_source = "the sizes of the indices, none of them larger than the source's";
    beside(operand, false, in_operand)?;
    source.map_or(Ok(()), |source| beside(source, true, in_source))
}

/// Checks that numbers of the host lie within the dimension `axis`.
pub(super) fn check_numbers(
    operator: &'static str,
    operand: &Dims,
    axis: i64,
    index: &[i64],
) -> Result<()> {
    let axis = operand.axis(operator, axis)?;
    let size = operand.size(axis);
    let below = usize::try_from(size).unwrap_or_default();
    let wrong = |(position, index): (usize, &i64)| -> Option<Error> {
        let index = *index;
        let wrong = Usage::IndexRange {
            index,
            position,
            below,
        };
        (!(0..size).contains(&index)).then(|| wrong.into())
    };
    index.iter().enumerate().find_map(wrong).map_or(Ok(()), Err)
}
