//! Operators that move elements: they join, repeat, turn and pad tensors.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::{Comparable, Element, Numeric};
use crate::op::parameter::Ints;
use crate::op::shape::Dims;
use crate::op::table::{any_shape, functions};

functions! {
    "A dimension counts from 0, or from the end by -1, -2 and so on.";
    /// Prepares the tensors joined along the dimension `axis` (`aclnnCat`).
    #[doc(alias("aclnnCat", "aclnnCatGetWorkspaceSize"))]
    Cat<T: Element>, cat(tensors: list T, axis: attr i64, out: dense_out T)
        = aclnnCat, aclnnCatGetWorkspaceSize, |op| out.dims.check_joined(op, tensors.iter().map(|tensor| &tensor.dims), axis);
    /// Prepares the tensors side by side along a new dimension `axis` (`aclnnStack`).
    #[doc(alias("aclnnStack", "aclnnStackGetWorkspaceSize"))]
    Stack<T: Element>, stack(tensors: list T, axis: attr i64, out: out T)
        = aclnnStack, aclnnStackGetWorkspaceSize, |op| out.dims.check_stacked(op, tensors.iter().map(|tensor| &tensor.dims), axis);
    /// Prepares a copy with the dimensions in another order (`aclnnPermute`): dimension `i` of the output is
    /// dimension `axes[i]` of the operand. A view of [`Tensor::permute`](crate::op::Tensor::permute) copies nothing.
    #[doc(alias("aclnnPermute", "aclnnPermuteGetWorkspaceSize"))]
    Permute<T: Element>, permute(a: in T, axes: ints, out: out T)
        = aclnnPermute, aclnnPermuteGetWorkspaceSize, |op| out.dims.check_permuted(op, &a.dims, axes);
    /// Prepares a copy in which each dimension is repeated as often as `repeats` says (`aclnnRepeat`). What it has
    /// more than the operand has dimensions are new dimensions in front.
    #[doc(alias("aclnnRepeat", "aclnnRepeatGetWorkspaceSize"))]
    Repeat<T: Element>, repeat(a: in T, repeats: ints, out: out T)
        = aclnnRepeat, aclnnRepeatGetWorkspaceSize, |op| out.dims.check_repeated(op, &a.dims, repeats);
    /// Prepares a copy with the order of the dimensions `axes` reversed (`aclnnFlip`).
    #[doc(alias("aclnnFlip", "aclnnFlipGetWorkspaceSize"))]
    Flip<T: Comparable>, flip(a: in T, axes: ints, out: out T)
        = aclnnFlip, aclnnFlipGetWorkspaceSize, |op| a.dims.check_axes(op, axes).and(out.dims.check_same(op, &a.dims));
    /// Prepares a copy in which the elements of each of the dimensions `axes` have moved on by as many places as
    /// `shifts` says; those behind the end come in at the front (`aclnnRoll`).
    #[doc(alias("aclnnRoll", "aclnnRollGetWorkspaceSize"))]
    Roll<T: Numeric>, roll(a: in T, shifts: ints, axes: [&[i64]: Some(axes) => Option<Ints>], out: out T)
        = aclnnRoll, aclnnRollGetWorkspaceSize, |op| check_shifts(op, &a.dims, shifts, axes).and(out.dims.check_same(op, &a.dims));
    /// Prepares a copy with more elements of one value at its ends (`aclnnConstantPadNd`): `pad` has how many in
    /// front and how many behind, for the last dimension first. Less than none takes elements away.
    #[doc(alias("aclnnConstantPadNd", "aclnnConstantPadNdGetWorkspaceSize"))]
    ConstantPadNd<T: Element>, constant_pad_nd(a: in T, pad: ints, value: scalar T, out: out T)
        = aclnnConstantPadNd, aclnnConstantPadNdGetWorkspaceSize, |op| out.dims.check_padded(op, &a.dims, pad);
    /// Prepares the lower triangle of matrices up to the diagonal, and zeros above it (`aclnnTril`).
    #[doc(alias("aclnnTril", "aclnnTrilGetWorkspaceSize"))]
    Tril<T: Element>, tril(a: in T, diagonal: attr i64, out: out T)
        = aclnnTril, aclnnTrilGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the upper triangle of matrices down to the diagonal, and zeros below it (`aclnnTriu`).
    #[doc(alias("aclnnTriu", "aclnnTriuGetWorkspaceSize"))]
    Triu<T: Element>, triu(a: in T, diagonal: attr i64, out: out T)
        = aclnnTriu, aclnnTriuGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares zeros above the diagonal, in place (`aclnnInplaceTril`).
    #[doc(alias("aclnnInplaceTril", "aclnnInplaceTrilGetWorkspaceSize"))]
    InplaceTril<T: Element>, inplace_tril(a: only_inout T, diagonal: attr i64)
        = aclnnInplaceTril, aclnnInplaceTrilGetWorkspaceSize, |_| any_shape();
    /// Prepares zeros below the diagonal, in place (`aclnnInplaceTriu`).
    #[doc(alias("aclnnInplaceTriu", "aclnnInplaceTriuGetWorkspaceSize"))]
    InplaceTriu<T: Element>, inplace_triu(a: only_inout T, diagonal: attr i64)
        = aclnnInplaceTriu, aclnnInplaceTriuGetWorkspaceSize, |_| any_shape();
}

/// Checks that each dimension has a number of places.
fn check_shifts(
    operator: &'static str,
    operand: &Dims,
    shifts: &[i64],
    axes: &[i64],
) -> Result<()> {
    if shifts.len() != axes.len() || axes.is_empty() {
        let rule = "one for each of the dimensions, which are at least one";
        return Err(operand.numbers(operator, shifts, rule));
    }
    operand.check_axes(operator, axes)
}
