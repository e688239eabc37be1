//! Operators that take and put elements by indices of several dimensions, and one-hot vectors.

use ascendcl_sys as sys;

use crate::error::{Error, Misplaced, Result, Usage};
use crate::op::element::{
    Comparable, IndexElement, OneHotElement, ScatterElement, ScatterNdElement,
};
use crate::op::indices::Indices;
use crate::op::positions::Positions;
use crate::op::shape::{Dims, MAX_RANK};
#[cfg(doc)]
use crate::op::table::decided::masked_select;
use crate::op::table::functions;

functions! {
    "Indices were compared with a bound by [`Tensor::indices`](crate::op::Tensor::indices), positions by \
     [`Tensor::positions`](crate::op::Tensor::positions). No duplicate of a place is refused.";
    /// Prepares the elements of `a` at the indices of its first dimensions, as NumPy's advanced indexing takes them
    /// (`aclnnIndex`).
    ///
    /// `None` stands for all indices of a dimension, and so does each dimension behind the list. The shapes of the
    /// indices broadcast to one, which the output has instead of the indexed dimensions: where those are, if they are
    /// neighbours, and else in front.
    ///
    /// CANN also takes masks here, for which [`index_mask`] is.
    #[doc(alias("aclnnIndex", "aclnnIndexGetWorkspaceSize"))]
    Index<T: Comparable, I: IndexElement>, index(a: in T, indices: index_list I, out: dense_out T)
        = aclnnIndex, aclnnIndexGetWorkspaceSize, |op| indexed(op, &a.dims, indices).and_then(|expected| out.dims.check_is(op, &a.dims, &expected));
    /// Prepares `values` at the indices of the first dimensions of `a`, in place (`aclnnIndexPutImpl`). The indices are
    /// those of [`index`], and the values broadcast to the shape of its output.
    ///
    /// With `accumulate` the values are added to the elements. A card adds them in any order, so sums of floating-point
    /// numbers at one place may differ from run to run. Without it, one of the values of a place stays, and which one is
    /// not said.
    #[doc(alias("aclnnIndexPutImpl", "aclnnIndexPutImplGetWorkspaceSize"))]
    IndexPutImpl<T: Comparable, I: IndexElement>,
        index_put_impl(a: inout T, indices: index_list I, values: in T, accumulate: attr bool, check: (false) bool)
        = aclnnIndexPutImpl, aclnnIndexPutImplGetWorkspaceSize, |op| indexed(op, &a.dims, indices).and_then(|result| check_values(op, &values.dims, &result));
    /// Prepares the elements of `a` that a mask chooses, in their order (`aclnnIndex`).
    ///
    /// The mask has the first dimensions of `a`. The output has one dimension in place of them, with as many elements as
    /// the mask chooses. It was counted by [`Tensor::mask`](crate::op::Tensor::mask); [`masked_select`] takes
    /// masks that nobody has counted.
    #[doc(alias("aclnnIndex", "aclnnIndexGetWorkspaceSize"))]
    IndexMask<T: Comparable>, index_mask(a: in T, mask: mask, out: dense_out T)
        = aclnnIndex, aclnnIndexGetWorkspaceSize, |op| mask.chosen(op, &a.dims).and_then(|expected| out.dims.check_is(op, &a.dims, &expected));
    /// Prepares `values` in the elements of `a` that a mask chooses, in place (`aclnnIndexPutImpl`). The mask has the first
    /// dimensions of `a`, and the values broadcast to the shape of the output of [`index_mask`]. With `accumulate` they are
    /// added.
    #[doc(alias("aclnnIndexPutImpl", "aclnnIndexPutImplGetWorkspaceSize"))]
    IndexPutMask<T: Comparable>, index_put_mask(a: inout T, mask: mask, values: in T, accumulate: attr bool, check: (false) bool)
        = aclnnIndexPutImpl, aclnnIndexPutImplGetWorkspaceSize, |op| mask.chosen(op, &a.dims).and_then(|result| check_values(op, &values.dims, &result));
    /// Prepares `updates` in the dimension `axis` of `a`, in place, from the place on that the index of each batch says
    /// (`aclnnInplaceScatterUpdate`): a cache of keys or values takes the new ones. The batches are the first dimension,
    /// which `axis` is not. Without dimensions, the index is that of one batch.
    ///
    /// The other dimensions of `updates` are those of `a`, which may have more batches. The bound of the indices is the
    /// number of places where all updates of a batch fit.
    ///
    /// CANN also takes pairs of a batch and a place. This function has places only.
    #[doc(alias("aclnnInplaceScatterUpdate", "aclnnInplaceScatterUpdateGetWorkspaceSize"))]
    InplaceScatterUpdate<T: ScatterElement, I: IndexElement>,
        inplace_scatter_update(a: inout T, index: index I, updates: in T, axis: attr i64)
        = aclnnInplaceScatterUpdate, aclnnInplaceScatterUpdateGetWorkspaceSize, |op| check_update(op, &a.dims, index, &updates.dims, axis);
    /// Prepares parts of `updates` at positions of `a`, in place (`aclnnScatterNdUpdate`). A position is the last
    /// dimension of `positions` and has an index for each of the first dimensions of `a`; `updates` has the other
    /// dimensions of `positions`, and behind them the other dimensions of `a`.
    ///
    /// If a position is there twice, one of its updates stays, and which one is not said.
    #[doc(alias("aclnnScatterNdUpdate", "aclnnScatterNdUpdateGetWorkspaceSize"))]
    ScatterNdUpdate<T: ScatterNdElement, I: IndexElement>,
        scatter_nd_update(a: inout T, positions: positions I, updates: in T)
        = aclnnScatterNdUpdate, aclnnScatterNdUpdateGetWorkspaceSize, |op| check_rows(op, &a.dims, positions, &updates.dims);
    /// Prepares for each index a vector of `classes` elements with `on` at its place and `off` elsewhere
    /// (`aclnnOneHot`), in a new dimension `axis` of the output; -1 is the last one. Both values are tensors of the
    /// shape `[1]`.
    #[doc(alias("aclnnOneHot", "aclnnOneHotGetWorkspaceSize"))]
    OneHot<T: OneHotElement, I: IndexElement>,
        one_hot(index: index I, classes: attr i32, on: dense T, off: dense T, axis: attr i64, out: out T)
        = aclnnOneHot, aclnnOneHotGetWorkspaceSize, |op| check_one_hot(op, index, classes, [&on.dims, &off.dims], axis, &out.dims);
}

/// Checks the indices, and returns the shape of the indexed elements.
fn indexed<X, I: IndexElement>(
    operator: &'static str,
    operand: &Dims,
    indices: &[Option<&Indices<'_, X, I>>],
) -> Result<Vec<i64>> {
    let wrong = |rule: &'static str| -> Error {
        let shape =
            |index: &Option<&Indices<'_, X, I>>| index.map(|index| index.tensor.dims.to_vec());
        let wrong = Misplaced::IndexList {
            operator,
            indices: indices.iter().map(shape).collect(),
            operand: operand.to_vec(),
            rule,
        };
        wrong.into()
    };
    if indices.len() > operand.rank || indices.iter().all(Option::is_none) {
        return Err(wrong("at least one, and at most one for each dimension"));
    }
    let mut together: Vec<i64> = Vec::new();
    for (index, size) in indices.iter().zip(operand.sizes()) {
        let Some(index) = index else {
            continue;
        };
        let dims = &index.tensor.dims;
        if dims.elements() == 0 {
            return Err(wrong(
                "none without elements, which C takes for a whole dimension",
            ));
        }
        index.check_within(operator, *size)?;
        let new = dims.rank.saturating_sub(together.len());
        together.splice(0..0, vec![1; new]);
        for (size, own) in together.iter_mut().rev().zip(dims.sizes().iter().rev()) {
            match (*size, *own) {
                (_, 1) => {}
                (1, own) => *size = own,
                (size, own) if size == own => {}
                _ => return Err(wrong("their shapes broadcast to one")),
            }
        }
    }
    let is_indexed = |dim: &usize| indices.get(*dim).is_some_and(Option::is_some);
    let dims: Vec<usize> = (0..operand.rank).filter(is_indexed).collect();
    let (first, last) = (dims.first().copied(), dims.last().copied());
    let are_neighbours = first.zip(last).map(|(first, last)| last - first + 1) == Some(dims.len());
    let front = first.filter(|_| are_neighbours).unwrap_or_default();
    let rest = (0..operand.rank).filter(|dim| !is_indexed(dim));
    let mut result: Vec<i64> = rest.map(|dim| operand.size(dim)).collect();
    result.splice(front..front, together);
    if result.len() > MAX_RANK {
        return Err(wrong("the indexed elements have at most 8 dimensions"));
    }
    Ok(result)
}

/// Checks that the values broadcast to the shape of the indexed elements.
fn check_values(operator: &'static str, values: &Dims, result: &[i64]) -> Result<()> {
    let mut pairs = values.sizes().iter().rev().zip(result.iter().rev());
    if values.rank <= result.len() && pairs.all(|(size, to)| *size == 1 || size == to) {
        return Ok(());
    }
    let wrong = Usage::Broadcast {
        operator,
        operands: vec![values.to_vec()],
        output: result
            .iter()
            .map(|size| size.cast_unsigned() as usize)
            .collect(),
    };
    Err(wrong.into())
}

/// Checks that the updates of each batch fit at each place below the bound of the indices.
fn check_update<X, I: IndexElement, L>(
    operator: &'static str,
    operand: &Dims,
    index: &Indices<'_, X, I, L>,
    updates: &Dims,
    axis: i64,
) -> Result<()> {
    let dim = operand.axis(operator, axis)?;
    if dim == 0 {
        let rule = "a dimension behind the first one, which has the batches";
        return Err(operand.numbers(operator, &[axis], rule));
    }
    let mut expected = operand.sizes().to_vec();
    for (place, (expected, size)) in expected.iter_mut().zip(updates.sizes()).enumerate() {
        if (place == 0 || place == dim) && (1..=*expected).contains(size) {
            *expected = *size;
        }
    }
    updates.check_beside(operator, operand, &expected)?;
    let batches = match index.tensor.dims.rank {
        0 => &[][..],
        _ => updates.sizes().get(..1).unwrap_or_default(),
    };
    index.tensor.dims.check_beside(operator, updates, batches)?;
    if batches.is_empty() && updates.size(0) != 1 {
        let batches = updates.sizes().get(..1).unwrap_or_default();
        return index.tensor.dims.check_beside(operator, updates, batches);
    }
    index.check_places(operator, operand.size(dim), updates.size(dim))
}

/// Checks that the positions lie in the operand, and that there is a part for each.
pub(super) fn check_rows<X, I: IndexElement>(
    operator: &'static str,
    operand: &Dims,
    positions: &Positions<'_, X, I>,
    updates: &Dims,
) -> Result<()> {
    positions.check_within(operator, operand)?;
    let places = &positions.tensor.dims;
    if places.rank < 2 || positions.below().len() >= MAX_RANK {
        let rule = "positions have at least two dimensions, and at most 7 indices in the last one";
        return Err(operand.numbers(operator, places.sizes(), rule));
    }
    let (rows, width) = (places.rank - 1, positions.below().len());
    let rows = places.sizes().get(..rows).unwrap_or_default();
    let parts = operand.sizes().get(width..).unwrap_or_default();
    updates.check_beside(operator, operand, &[rows, parts].concat())
}

/// Checks that each index is a class, and the shapes of the values and the output.
fn check_one_hot<X, I: IndexElement, L>(
    operator: &'static str,
    index: &Indices<'_, X, I, L>,
    classes: i32,
    values: [&Dims; 2],
    axis: i64,
    output: &Dims,
) -> Result<()> {
    let dims = &index.tensor.dims;
    if !(1..MAX_RANK).contains(&dims.rank) {
        return Err(dims.numbers(operator, dims.sizes(), "indices have 1 to 7 dimensions"));
    }
    index.check_within(operator, i64::from(classes))?;
    for value in values {
        value.check_beside(operator, dims, &[1])?;
    }
    let place = match axis {
        -1 => dims.rank,
        _ => usize::try_from(axis).unwrap_or(usize::MAX),
    };
    if place > dims.rank {
        let rank = dims.rank + 1;
        return Err(Usage::Axis {
            operator,
            axis,
            rank,
        }
        .into());
    }
    let mut expected = dims.sizes().to_vec();
    expected.insert(place, i64::from(classes));
    output.check_is(operator, dims, &expected)
}
