//! Operators that take parts of tensors, or repeat their elements.

use std::ops::Range;

use ascendcl_sys as sys;

use crate::error::{Misplaced, Result};
use crate::op::element::{Comparable, Element, Movable};
use crate::op::output::OutputFor;
use crate::op::parameter::{Ints, OutList};
use crate::op::shape::Dims;
use crate::op::table::functions;

functions! {
    "A dimension counts from 0, or from the end by -1, -2 and so on.";
    /// Prepares copies of the parts of `a` that have `size` elements each in the dimension `axis`; the last one may have
    /// fewer (`aclnnSplitTensor`). The outputs, a `Vec` or an array with one for each part, come back as such.
    /// [`Tensor::slice`](crate::op::Tensor::slice) gives a part without a copy.
    #[doc(alias("aclnnSplitTensor", "aclnnSplitTensorGetWorkspaceSize"))]
    SplitTensor<T: Element>, split_tensor(a: in T, size: [usize: size as u64 => u64], axis: attr i64, out: out_list T)
        = aclnnSplitTensor, aclnnSplitTensorGetWorkspaceSize, |op| check_split(op, &a.dims, size, axis, &out);
    /// Prepares copies of parts of `a` that have `sizes` elements in the dimension `axis` (`aclnnSplitWithSize`). The
    /// outputs, a `Vec` or an array with one for each part, come back as such.
    #[doc(alias("aclnnSplitWithSize", "aclnnSplitWithSizeGetWorkspaceSize"))]
    SplitWithSize<T: Element>, split_with_size(a: in T, sizes: ints, axis: attr i64, out: out_list T)
        = aclnnSplitWithSize, aclnnSplitWithSizeGetWorkspaceSize, |op| check_parts(op, &a.dims, sizes, axis, &out);
    /// Prepares a copy of each `step`-th of the indices `range` of the dimension `axis` (`aclnnSlice`).
    /// [`Tensor::slice`](crate::op::Tensor::slice) gives them without a copy.
    #[doc(alias("aclnnSlice", "aclnnSliceGetWorkspaceSize"))]
    Slice<T: Movable>,
        slice(a: in T, axis: attr i64, range: [Range<usize>: range.start.cast_signed() as i64 => i64], end: (range.end.cast_signed() as i64) i64, step: [usize: step.cast_signed() as i64 => i64], out: out T)
        = aclnnSlice, aclnnSliceGetWorkspaceSize, |op| check_slice(op, &a.dims, axis, &range, step, &out.dims);
    /// Prepares a copy, repeated to the sizes `size` as NumPy broadcasts; -1 keeps the size of a dimension
    /// (`aclnnExpand`). [`Tensor::expand`](crate::op::Tensor::expand) repeats without a copy.
    #[doc(alias("aclnnExpand", "aclnnExpandGetWorkspaceSize"))]
    Expand<T: Movable>, expand(a: in T, size: ints, out: out T)
        = aclnnExpand, aclnnExpandGetWorkspaceSize, |op| check_expanded(op, &a.dims, size, &out.dims);
    /// Prepares a copy in which each index of the dimension `axis` is `repeats` times in a row
    /// (`aclnnRepeatInterleaveIntWithDim`).
    #[doc(alias("aclnnRepeatInterleaveIntWithDim", "aclnnRepeatInterleaveIntWithDimGetWorkspaceSize"))]
    RepeatInterleaveIntWithDim<T: Movable>,
        repeat_interleave_int_with_dim(a: in T, repeats: [usize: repeats.cast_signed() as i64 => i64], axis: attr i64, size: (interleaved(&a.dims, repeats, axis)) i64, out: out T)
        = aclnnRepeatInterleaveIntWithDim, aclnnRepeatInterleaveIntWithDimGetWorkspaceSize, |op| check_interleaved(op, &a.dims, repeats, axis, &out.dims);
    /// Prepares a copy with more elements at the ends of the last dimension, which are those beside the ends in reverse
    /// order (`aclnnReflectionPad1d`): `pad` is how many in front and how many behind.
    #[doc(alias("aclnnReflectionPad1d", "aclnnReflectionPad1dGetWorkspaceSize"))]
    ReflectionPad1d<T: Comparable>, reflection_pad1d(a: in T, pad: [(usize, usize): &both(pad) => Ints], out: out T)
        = aclnnReflectionPad1d, aclnnReflectionPad1dGetWorkspaceSize, |op| check_reflected(op, &a.dims, both(pad), &out.dims);
}

/// Checks that the outputs are the parts of `size` elements.
fn check_split<X, T: Element>(
    operator: &'static str,
    operand: &Dims,
    size: usize,
    axis: i64,
    outputs: &impl OutputFor<X, OutList<T>>,
) -> Result<()> {
    let whole = operand.size(operand.axis(operator, axis)?);
    let Some(size) = i64::try_from(size).ok().filter(|size| *size > 0) else {
        let rule = "at least one element for each part, and at most i64::MAX";
        return Err(operand.numbers(operator, &[size.cast_signed() as i64], rule));
    };
    let (parts, rest) = (whole / size, whole % size);
    // More than there are outputs would be a list without an end.
    let shown = outputs.shapes().count().saturating_add(1);
    let full = usize::try_from(parts).unwrap_or(usize::MAX);
    let mut sizes = vec![size; full.min(shown)];
    if rest > 0 || full == 0 {
        sizes.push(rest);
    }
    let count = full.saturating_add(usize::from(rest > 0 || full == 0));
    check_each(operator, operand, (&sizes, count), axis, outputs)
}

/// Checks that the outputs are the parts of so many elements.
fn check_parts<X, T: Element>(
    operator: &'static str,
    operand: &Dims,
    sizes: &[i64],
    axis: i64,
    outputs: &impl OutputFor<X, OutList<T>>,
) -> Result<()> {
    let whole = operand.size(operand.axis(operator, axis)?);
    let sum = sizes
        .iter()
        .try_fold(0i64, |sum, size| sum.checked_add(*size));
    if sum != Some(whole) || sizes.iter().any(|size| *size < 0) {
        let rule = "none of them is negative, and their sum is the size of the dimension";
        return Err(operand.numbers(operator, sizes, rule));
    }
    check_each(operator, operand, (sizes, sizes.len()), axis, outputs)
}

/// Checks the number of outputs, and that each has its size in the dimension `axis`.
fn check_each<X, T: Element>(
    operator: &'static str,
    operand: &Dims,
    (sizes, parts): (&[i64], usize),
    axis: i64,
    outputs: &impl OutputFor<X, OutList<T>>,
) -> Result<()> {
    let axis = operand.axis(operator, axis)?;
    let count = outputs.shapes().count();
    if count != parts || count == 0 {
        let operand = operand.to_vec();
        return Err(Misplaced::Parts {
            operator,
            operand,
            axis,
            parts,
            outputs: count,
        }
        .into());
    }
    let mut each = outputs.shapes().zip(sizes);
    each.try_for_each(|(output, size)| output.check_resized(operator, operand, axis, *size))
}

/// Checks the range of a dimension, and that the output has as many elements there.
fn check_slice(
    operator: &'static str,
    operand: &Dims,
    axis: i64,
    range: &Range<usize>,
    step: usize,
    output: &Dims,
) -> Result<()> {
    operand.axis(operator, axis)?;
    let Ok((sliced, _)) = operand.sliced(operator, axis, range, step) else {
        let numbers = [range.start, range.end, step].map(|number| number.cast_signed() as i64);
        let rule = "the start and the end of a range that is not empty and lies within the dimension, and a step from 1 on";
        return Err(operand.numbers(operator, &numbers, rule));
    };
    output.check_is(operator, operand, sliced.sizes())
}

/// Checks that the operand broadcasts to the sizes, and that they are those of the output.
fn check_expanded(
    operator: &'static str,
    operand: &Dims,
    sizes: &[i64],
    output: &Dims,
) -> Result<()> {
    let wrong = || {
        let rule = "one for each dimension and for new ones in front, each as large as the dimension, -1, or any where it \
                    has one element";
        operand.numbers(operator, sizes, rule)
    };
    let new = sizes.len().checked_sub(operand.rank).ok_or_else(wrong)?;
    let mut expected = Vec::with_capacity(sizes.len());
    for (dim, size) in sizes.iter().enumerate() {
        let own = dim.checked_sub(new).map(|dim| operand.size(dim));
        match (own, *size) {
            (Some(own), -1) => expected.push(own),
            (None | Some(1), 0..) => expected.push(*size),
            (Some(own), _) if own == *size => expected.push(own),
            _ => return Err(wrong()),
        }
    }
    output.check_is(operator, operand, &expected)
}

/// How many elements a dimension has after each was repeated.
fn interleaved(operand: &Dims, repeats: usize, axis: i64) -> i64 {
    let size = operand.axis("", axis).map_or(0, |axis| operand.size(axis));
    let repeats = i64::try_from(repeats).unwrap_or(i64::MAX);
    size.saturating_mul(repeats)
}

/// Checks that the output has the repeated elements.
fn check_interleaved(
    operator: &'static str,
    operand: &Dims,
    repeats: usize,
    axis: i64,
    output: &Dims,
) -> Result<()> {
    let dim = operand.axis(operator, axis)?;
    output.check_resized(operator, operand, dim, interleaved(operand, repeats, axis))
}

/// The numbers of elements in front and behind as C counts them. What is too large is negative, and refused.
fn both((front, behind): (usize, usize)) -> [i64; 2] {
    [front, behind].map(|more| more.cast_signed() as i64)
}

/// Checks that there are elements to reflect, and that the output has room for them.
fn check_reflected(
    operator: &'static str,
    operand: &Dims,
    pad: [i64; 2],
    output: &Dims,
) -> Result<()> {
    if !(2..=3).contains(&operand.rank) {
        operand.check_rank(operator, 2)?;
    }
    let last = operand.rank.saturating_sub(1);
    let width = operand.size(last);
    if pad.iter().any(|more| !(0..width).contains(more)) {
        let rule = "neither is negative, and both are less than the last dimension has elements";
        return Err(operand.numbers(operator, &pad, rule));
    }
    let [left, right] = pad;
    let padded = width.saturating_add(left).saturating_add(right);
    output.check_resized(operator, operand, last, padded)
}
