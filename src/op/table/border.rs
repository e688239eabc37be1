//! Operators that continue tensors at their ends, and store elements in another order.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::{Comparable, Movable, Numeric, Stepped};
use crate::op::shape::{Dims, product};
use crate::op::table::functions;

functions! {
    "A dimension counts from 0, or from the end by -1, -2 and so on.";
    /// Prepares a copy with more elements at the ends of the last 2 dimensions, which are the elements beside the ends in reverse order
    /// (`aclnnReflectionPad2d`): `pad` is how many in front and behind, for the last dimension first.
    #[doc(alias("aclnnReflectionPad2d", "aclnnReflectionPad2dGetWorkspaceSize"))]
    ReflectionPad2d<T: Comparable>, reflection_pad2d(a: in T, pad: ints, out: out T)
        = aclnnReflectionPad2d, aclnnReflectionPad2dGetWorkspaceSize, |op| check_ends(op, &a.dims, pad, (2, End::Reflected), &out.dims);
    /// Prepares a copy with more elements at the ends of the last 3 dimensions, which are the elements beside the ends in reverse order
    /// (`aclnnReflectionPad3d`): `pad` is how many in front and behind, for the last dimension first.
    #[doc(alias("aclnnReflectionPad3d", "aclnnReflectionPad3dGetWorkspaceSize"))]
    ReflectionPad3d<T: Comparable>, reflection_pad3d(a: in T, pad: ints, out: out T)
        = aclnnReflectionPad3d, aclnnReflectionPad3dGetWorkspaceSize, |op| check_ends(op, &a.dims, pad, (3, End::Reflected), &out.dims);
    /// Prepares a copy with more elements at the ends of the last dimension, which are the elements at the ends
    /// (`aclnnReplicationPad1d`): `pad` is how many in front and behind, for the last dimension first.
    #[doc(alias("aclnnReplicationPad1d", "aclnnReplicationPad1dGetWorkspaceSize"))]
    ReplicationPad1d<T: Comparable>, replication_pad1d(a: in T, pad: ints, out: out T)
        = aclnnReplicationPad1d, aclnnReplicationPad1dGetWorkspaceSize, |op| check_ends(op, &a.dims, pad, (1, End::Repeated), &out.dims);
    /// Prepares a copy with more elements at the ends of the last 2 dimensions, which are the elements at the ends
    /// (`aclnnReplicationPad2d`): `pad` is how many in front and behind, for the last dimension first.
    #[doc(alias("aclnnReplicationPad2d", "aclnnReplicationPad2dGetWorkspaceSize"))]
    ReplicationPad2d<T: Comparable>, replication_pad2d(a: in T, pad: ints, out: out T)
        = aclnnReplicationPad2d, aclnnReplicationPad2dGetWorkspaceSize, |op| check_ends(op, &a.dims, pad, (2, End::Repeated), &out.dims);
    /// Prepares a copy with more elements at the ends of the last 3 dimensions, which are the elements at the ends
    /// (`aclnnReplicationPad3d`): `pad` is how many in front and behind, for the last dimension first.
    #[doc(alias("aclnnReplicationPad3d", "aclnnReplicationPad3dGetWorkspaceSize"))]
    ReplicationPad3d<T: Comparable>, replication_pad3d(a: in T, pad: ints, out: out T)
        = aclnnReplicationPad3d, aclnnReplicationPad3dGetWorkspaceSize, |op| check_ends(op, &a.dims, pad, (3, End::Repeated), &out.dims);
    /// Prepares a copy with more elements at the ends of the last 2 dimensions, which are the elements at the other ends
    /// (`aclnnCircularPad2d`): `pad` is how many in front and behind, for the last dimension first.
    #[doc(alias("aclnnCircularPad2d", "aclnnCircularPad2dGetWorkspaceSize"))]
    CircularPad2d<T: Comparable>, circular_pad2d(a: in T, pad: ints, out: out T)
        = aclnnCircularPad2d, aclnnCircularPad2dGetWorkspaceSize, |op| check_ends(op, &a.dims, pad, (2, End::Circular), &out.dims);
    /// Prepares a copy with more elements at the ends of the last 3 dimensions, which are the elements at the other ends
    /// (`aclnnCircularPad3d`): `pad` is how many in front and behind, for the last dimension first.
    #[doc(alias("aclnnCircularPad3d", "aclnnCircularPad3dGetWorkspaceSize"))]
    CircularPad3d<T: Comparable>, circular_pad3d(a: in T, pad: ints, out: out T)
        = aclnnCircularPad3d, aclnnCircularPad3dGetWorkspaceSize, |op| check_ends(op, &a.dims, pad, (3, End::Circular), &out.dims);
    /// Prepares a copy of parts of the dimensions `axes`: each `steps`-th of the indices from `starts` to `ends` (`aclnnSliceV2`).
    /// [`Tensor::slice`](crate::op::Tensor::slice) gives them without a copy.
    #[doc(alias("aclnnSliceV2", "aclnnSliceV2GetWorkspaceSize"))]
    SliceV2<T: Movable>, slice_v2(a: in T, starts: ints, ends: ints, axes: ints, steps: ints, out: out T)
        = aclnnSliceV2, aclnnSliceV2GetWorkspaceSize, |op| check_slices(op, &a.dims, [starts, ends, axes, steps], &out.dims);
    /// Prepares a matrix of a tensor: its rows are the dimensions in front of `axis` (`aclnnFlatten`).
    #[doc(alias("aclnnFlatten", "aclnnFlattenGetWorkspaceSize"))]
    Flatten<T: Movable>, flatten(a: in T, axis: attr i64, out: out T)
        = aclnnFlatten, aclnnFlattenGetWorkspaceSize, |op| check_flat(op, &a.dims, axis, &out.dims);
    /// Prepares channels in an order in which those of a group are apart (`aclnnChannelShuffle`), `[.., c, h, w]`.
    #[doc(alias("aclnnChannelShuffle", "aclnnChannelShuffleGetWorkspaceSize"))]
    ChannelShuffle<T: Comparable>,
        channel_shuffle(a: in T, groups: [usize: groups.cast_signed() as i64 => i64], out: out T)
        = aclnnChannelShuffle, aclnnChannelShuffleGetWorkspaceSize, |op| check_groups(op, &a.dims, groups).and(out.dims.check_same(op, &a.dims));
    /// Prepares a matrix with the elements on its diagonal, or on another one, and zeros elsewhere (`aclnnDiagFlat`).
    #[doc(alias("aclnnDiagFlat", "aclnnDiagFlatGetWorkspaceSize"))]
    DiagFlat<T: Comparable>, diag_flat(a: in T, diagonal: attr i64, out: out T)
        = aclnnDiagFlat, aclnnDiagFlatGetWorkspaceSize, |op| check_diagonal(op, &a.dims, diagonal, &out.dims);
    /// Prepares one value for all elements of the diagonal, in place (`aclnnInplaceFillDiagonal`).
    #[doc(alias("aclnnInplaceFillDiagonal", "aclnnInplaceFillDiagonalGetWorkspaceSize"))]
    InplaceFillDiagonal<T: Numeric>, inplace_fill_diagonal(a: only_inout T, value: scalar T, wrap: attr bool)
        = aclnnInplaceFillDiagonal, aclnnInplaceFillDiagonalGetWorkspaceSize, |op| check_square(op, &a.dims);
    /// Prepares numbers at equal distances from `start` to `end` (`aclnnLinspace`): as many as the vector `out` has elements.
    #[doc(alias("aclnnLinspace", "aclnnLinspaceGetWorkspaceSize"))]
    Linspace<T: Stepped>, linspace(start: scalar T, end: scalar T, steps: (out.dims.size(0)) i64, out: only_out T)
        = aclnnLinspace, aclnnLinspaceGetWorkspaceSize, |op| out.dims.check_rank(op, 1);
    /// Prepares a matrix with a vector on its diagonal and zeros elsewhere, or the diagonal of a matrix as a vector (`aclnnDiag`): the
    /// diagonal that many places to the right, or down by a negative number.
    #[doc(alias("aclnnDiag", "aclnnDiagGetWorkspaceSize"))]
    Diag<T: Comparable>, diag(a: in T, diagonal: attr i64, out: out T)
        = aclnnDiag, aclnnDiagGetWorkspaceSize, |op| check_diag(op, &a.dims, diagonal, &out.dims);
}

/// How a dimension goes on behind its ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Reflected,
    Repeated,
    Circular,
}

/// Checks that the last dimensions can go on so far, and that the output has room for it.
fn check_ends(
    operator: &'static str,
    operand: &Dims,
    pad: &[i64],
    (dims, end): (usize, End),
    output: &Dims,
) -> Result<()> {
    if !(dims + 1..=dims + 2).contains(&operand.rank) {
        operand.check_rank(operator, dims + 2)?;
    }
    let mut pairs = operand.sizes().iter().rev().zip(pad.chunks(2));
    let fits = pairs.all(|(size, pair)| {
        let most = match end {
            End::Reflected => size - 1,
            End::Repeated => i64::MAX,
            End::Circular => *size,
        };
        *size > 0 && pair.iter().all(|more| (0..=most).contains(more))
    });
    if !fits || pad.len() != 2 * dims {
        let rule = "two for each of the last dimensions, which have as many elements";
        return Err(operand.numbers(operator, pad, rule));
    }
    output.check_padded(operator, operand, pad)
}

/// Checks parts of several dimensions.
fn check_slices(
    operator: &'static str,
    operand: &Dims,
    [starts, ends, axes, steps]: [&[i64]; 4],
    output: &Dims,
) -> Result<()> {
    operand.check_axes(operator, axes)?;
    let same = [starts, ends, steps]
        .iter()
        .all(|one| one.len() == axes.len());
    if !same || steps.iter().any(|step| *step < 1) {
        let rule = "a start, an end and a step of at least 1 for each dimension";
        return Err(operand.numbers(operator, steps, rule));
    }
    let mut expected = operand.sizes().to_vec();
    for (axis, ((start, end), step)) in axes.iter().zip(starts.iter().zip(ends).zip(steps)) {
        if let Some(size) = expected.get_mut(operand.axis(operator, *axis)?) {
            let inside = |one: i64| {
                if one < 0 {
                    one.saturating_add(*size)
                } else {
                    one
                }
            };
            let (start, end) = (inside(*start).clamp(0, *size), inside(*end).clamp(0, *size));
            *size = (end - start)
                .max(0)
                .cast_unsigned()
                .div_ceil(step.cast_unsigned())
                .cast_signed();
        }
    }
    output.check_is(operator, operand, &expected)
}

/// Checks that the output is the matrix of an operand.
fn check_flat(operator: &'static str, operand: &Dims, axis: i64, output: &Dims) -> Result<()> {
    let axis = operand.axis(operator, axis)?;
    let (rows, columns) = operand.sizes().split_at(axis);
    output.check_is(operator, operand, &[product(rows), product(columns)])
}

/// Checks that the channels are a multiple of the groups.
fn check_groups(operator: &'static str, operand: &Dims, groups: usize) -> Result<()> {
    if operand.rank < 3 {
        operand.check_rank(operator, 3)?;
    }
    let groups = groups.cast_signed() as i64;
    if groups < 1 || operand.size(operand.rank - 3) % groups != 0 {
        return Err(operand.numbers(
            operator,
            &[groups],
            "the channels are a multiple of the groups",
        ));
    }
    Ok(())
}

/// Checks that a matrix has a diagonal for all elements.
fn check_diagonal(
    operator: &'static str,
    operand: &Dims,
    diagonal: i64,
    output: &Dims,
) -> Result<()> {
    let beside = diagonal.checked_abs().unwrap_or(i64::MAX);
    let size = operand.elements().saturating_add(beside);
    output.check_is(operator, operand, &[size, size])?;
    operand.check_filled(operator, output)
}

/// Checks that a tensor has a diagonal: more than two dimensions are equal.
fn check_square(operator: &'static str, operand: &Dims) -> Result<()> {
    let sizes = operand.sizes();
    if operand.rank < 2 {
        return operand.check_rank(operator, 2);
    }
    if operand.rank > 2 && sizes.iter().any(|size| Some(size) != sizes.first()) {
        return Err(operand.numbers(operator, sizes, "more than two dimensions are equal"));
    }
    Ok(())
}

/// Checks that the output is the matrix of a vector, or the diagonal of a matrix.
fn check_diag(operator: &'static str, operand: &Dims, diagonal: i64, output: &Dims) -> Result<()> {
    if operand.rank == 1 {
        return check_diagonal(operator, operand, diagonal, output);
    }
    operand.check_rank(operator, 2)?;
    let down = diagonal.min(0).saturating_neg();
    let left = [(0, down), (1, diagonal.max(0))].map(|(dim, gone)| operand.size(dim) - gone);
    let count = left.into_iter().fold(i64::MAX, i64::min).max(0);
    output.check_is(operator, operand, &[count])
}
