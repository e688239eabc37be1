//! Rows that are combined at places that indices name, and values that are put there.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::{
    Arithmetic, Comparable, Floating, IndexElement, Numeric, ScatterElement, ScatterNdElement,
};
use crate::op::indices::Indices;
use crate::op::shape::Dims;
use crate::op::table::functions;
use crate::op::table::index::{check_numbers, check_taken};
use crate::op::table::place::check_rows;

functions! {
    "Indices were compared with a bound by [`Tensor::indices`](crate::op::Tensor::indices), positions by \
     [`Tensor::positions`](crate::op::Tensor::positions). No duplicate of a place is refused.";
    /// Prepares a copy of `a` with parts of `updates` at positions, as [`scatter_nd_update`](crate::op::scatter_nd_update) puts
    /// them in place (`aclnnScatterNd`).
    #[doc(alias("aclnnScatterNd", "aclnnScatterNdGetWorkspaceSize"))]
    ScatterNd<T: ScatterNdElement, I: IndexElement>, scatter_nd(a: in T, positions: positions I, updates: in T, out: out T)
        = aclnnScatterNd, aclnnScatterNdGetWorkspaceSize, |op| check_rows(op, &a.dims, positions, &updates.dims).and(out.dims.check_same(op, &a.dims));
    /// Prepares the sums of the rows of `a` that the indices name and of those of `updates`, in place (`aclnnTfScatterAdd`).
    /// `updates` has the dimensions of the indices, and behind them those of a row. A row that is named twice gets both.
    #[doc(alias("aclnnTfScatterAdd", "aclnnTfScatterAddGetWorkspaceSize"))]
    TfScatterAdd<T: ScatterElement, I: IndexElement>, tf_scatter_add(a: inout T, index: index I, updates: in T)
        = aclnnTfScatterAdd, aclnnTfScatterAddGetWorkspaceSize, |op| check_updates(op, &a.dims, index, &updates.dims);
    /// Prepares the products of the rows of `a` that the indices name and of those of `updates`, in place (`aclnnScatterMul`),
    /// with shapes as [`tf_scatter_add`] has them.
    #[doc(alias("aclnnScatterMul", "aclnnScatterMulGetWorkspaceSize"))]
    ScatterMul<T: ScatterElement, I: IndexElement>, scatter_mul(a: inout T, index: index I, updates: in T, lock: (false) bool)
        = aclnnScatterMul, aclnnScatterMulGetWorkspaceSize, |op| check_updates(op, &a.dims, index, &updates.dims);
    /// Prepares the quotients of the rows of `a` that the indices name and of those of `updates`, in place (`aclnnScatterDiv`),
    /// with shapes as [`tf_scatter_add`] has them.
    #[doc(alias("aclnnScatterDiv", "aclnnScatterDivGetWorkspaceSize"))]
    ScatterDiv<T: ScatterElement, I: IndexElement>, scatter_div(a: inout T, index: index I, updates: in T, lock: (false) bool)
        = aclnnScatterDiv, aclnnScatterDivGetWorkspaceSize, |op| check_updates(op, &a.dims, index, &updates.dims);
    /// Prepares the larger elements of the rows of `a` that the indices name and of those of `updates`, in place
    /// (`aclnnScatterMax`), with shapes as [`tf_scatter_add`] has them.
    #[doc(alias("aclnnScatterMax", "aclnnScatterMaxGetWorkspaceSize"))]
    ScatterMax<T: ScatterElement, I: IndexElement>, scatter_max(a: inout T, index: index I, updates: in T, lock: (false) bool)
        = aclnnScatterMax, aclnnScatterMaxGetWorkspaceSize, |op| check_updates(op, &a.dims, index, &updates.dims);
    /// Prepares the smaller elements of the rows of `a` that the indices name and of those of `updates`, in place
    /// (`aclnnScatterMin`), with shapes as [`tf_scatter_add`] has them.
    #[doc(alias("aclnnScatterMin", "aclnnScatterMinGetWorkspaceSize"))]
    ScatterMin<T: ScatterElement, I: IndexElement>, scatter_min(a: inout T, index: index I, updates: in T, lock: (false) bool)
        = aclnnScatterMin, aclnnScatterMinGetWorkspaceSize, |op| check_updates(op, &a.dims, index, &updates.dims);
    /// Prepares a copy of `a` with `source` at `index` of the dimension `axis` (`aclnnIndexCopy`). The indices are a vector.
    #[doc(alias("aclnnIndexCopy", "aclnnIndexCopyGetWorkspaceSize"))]
    IndexCopy<T: Comparable, I: IndexElement>, index_copy(a: in T, axis: attr i64, index: index I, source: in T, out: out T)
        = aclnnIndexCopy, aclnnIndexCopyGetWorkspaceSize, |op| check_taken(op, &a.dims, axis, index, 1).and_then(|()| source.dims.check_source(op, &a.dims, axis, index.tensor.dims.sizes())).and(out.dims.check_same(op, &a.dims));
    /// Prepares a copy of `a` with `value` at `index` of the dimension `axis` (`aclnnIndexFill`). The indices are a vector.
    #[doc(alias("aclnnIndexFill", "aclnnIndexFillGetWorkspaceSize"))]
    IndexFill<T: Arithmetic, I: IndexElement>, index_fill(a: in T, axis: attr i64, index: index I, value: scalar T, out: out T)
        = aclnnIndexFill, aclnnIndexFillGetWorkspaceSize, |op| check_taken(op, &a.dims, axis, index, 1).and(out.dims.check_same(op, &a.dims));
    /// Prepares `value` at `index` of the dimension `axis` of `a`, in place (`aclnnInplaceIndexFill`). The indices are a vector.
    #[doc(alias("aclnnInplaceIndexFill", "aclnnInplaceIndexFillGetWorkspaceSize"))]
    InplaceIndexFill<T: Arithmetic, I: IndexElement>,
        inplace_index_fill(a: inout T, axis: attr i64, index: index I, value: scalar T)
        = aclnnInplaceIndexFill, aclnnInplaceIndexFillGetWorkspaceSize, |op| check_taken(op, &a.dims, axis, index, 1);
    /// Prepares a copy of `a` with `value` at indices of the host in the dimension `axis` (`aclnnIndexFillTensor`).
    #[doc(alias("aclnnIndexFillTensor", "aclnnIndexFillTensorGetWorkspaceSize"))]
    IndexFillTensor<T: Numeric>, index_fill_tensor(a: in T, axis: attr i64, index: ints, value: scalar T, out: out T)
        = aclnnIndexFillTensor, aclnnIndexFillTensorGetWorkspaceSize, |op| check_numbers(op, &a.dims, axis, index).and(out.dims.check_same(op, &a.dims));
    /// Limits the norm of the order `p` of the rows of a table that the indices name to `most`, in place
    /// (`aclnnEmbeddingRenorm`).
    #[doc(alias("aclnnEmbeddingRenorm", "aclnnEmbeddingRenormGetWorkspaceSize"))]
    EmbeddingRenorm<T: Floating, I: IndexElement>, embedding_renorm(table: inout T, index: index I, most: attr f64, p: attr f64)
        = aclnnEmbeddingRenorm, aclnnEmbeddingRenormGetWorkspaceSize, |op| table.dims.check_rank(op, 2).and_then(|()| index.check_within(op, table.dims.size(0)));
}

/// Checks that the indices name rows, and that there is a row of updates for each.
fn check_updates<X, I: IndexElement, L>(
    operator: &'static str,
    operand: &Dims,
    index: &Indices<'_, X, I, L>,
    updates: &Dims,
) -> Result<()> {
    operand.axis(operator, 0)?;
    index.check_within(operator, operand.size(0))?;
    let row = operand.sizes().get(1..).unwrap_or_default();
    let shape = [index.tensor.dims.sizes(), row].concat();
    updates.check_beside(operator, operand, &shape)
}
