//! Operators that store elements in another order, and those of diagonals.

use super::super::index::ONE;
use super::super::part::segment;
use super::super::shape::{PARTS, moved, pair, pair_of, strides};
use crate::op::call::{Call, Input, Output};
use crate::op::define::definitions;
use crate::op::dtype::{MOVABLE, types};
use crate::op::moves::{Mover, Part, Segment, combined};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count, dimension, put};
use crate::op::shape::{Loop, MAX_RANK};

definitions! {
    aclnnSliceV2 = slices;
    aclnnFlatten = flatten;
    aclnnChannelShuffle = shuffle;
    aclnnLinspace = spaced;
    aclnnInplaceFillDiagonal = fill_diagonal;
    aclnnDiagFlat = diagonal;
    aclnnDiag = diagonal_or_matrix;
}

/// `aclnnSliceV2(self, starts, ends, axes, steps, out)`
fn slices(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = pair_of(call, "self", PARTS)?;
    let input = input.ranked(1..=MAX_RANK)?;
    let [starts, ends, steps] = [
        call.ints("starts")?,
        call.ints("ends")?,
        call.ints("steps")?,
    ];
    let axes = call.ints("axes")?;
    if [starts, ends, steps]
        .iter()
        .any(|one| one.len() != axes.len())
    {
        return Err(Refusal::invalid(format_args!(
            "starts {starts:?}, ends {ends:?}, axes {axes:?} and steps {steps:?} differ in length"
        )));
    }
    let mut segments = [Segment::NONE; MAX_RANK];
    for (index, size) in input.shape().iter().enumerate() {
        put(&mut segments, index, Segment::same(*size));
    }
    for (index, axis) in axes.iter().enumerate() {
        let dim = dimension("axes", *axis, input.shape().len())?;
        let numbers = [at(starts, index), at(ends, index), at(steps, index)];
        put(
            &mut segments,
            dim,
            segment(at(input.shape(), dim), numbers)?,
        );
    }
    let mut shape = Vec::with_capacity(MAX_RANK);
    for one in segments.iter().take(input.shape().len()) {
        shape.push(one.count);
    }
    let out = out.shaped(&shape)?;
    let of = |index: usize| segments.get(index).copied().unwrap_or(Segment::NONE);
    let parts = combined(strides(&input, &out), &|index| of(index).alone());
    moved(call, input, out, parts)
}

/// `aclnnFlatten(self, axis, out)`
fn flatten(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = pair_of(call, "self", types!(bf16 f16 f32 s8 s16 s32 s64 u8 bool))?;
    let dim = dimension("axis", call.whole("axis")?, input.shape().len())?;
    let (before, behind) = input.shape().split_at(dim.min(input.shape().len()));
    let sizes = [before.iter().product::<usize>(), behind.iter().product()];
    let mut out = out.shaped(&sizes)?;
    if !out.tensor.is_contiguous() {
        return reordered(call, input, out);
    }
    // In memory both have the same order.
    out.tensor.shape = input.tensor.shape;
    out.tensor.strides = input.tensor.shape.contiguous_strides();
    let part = Part::whole(&input, &out);
    moved(call, input, out, vec![part])
}

/// Plans to store the elements of a tensor in another one of as many elements, in their order.
fn reordered(call: &Call, input: Input, out: Output) -> Result<Plan, Refusal> {
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let elements = views.input(&input).all_bits();
        views.output(&out).put_all_bits(&elements);
    })
}

/// `aclnnChannelShuffle(self, groups, out)`: the channels are the dimension in front of the last two.
fn shuffle(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = pair(call, "self")?;
    let input = input.ranked(3..=7)?;
    let dim = input.shape().len() - 3;
    let groups = call.whole("groups")?;
    let channels = at(input.shape(), dim);
    let parted = usize::try_from(groups).ok().filter(|groups| *groups > 0);
    let Some(groups) = parted.filter(|groups| channels.is_multiple_of(*groups)) else {
        return Err(Refusal::invalid(format_args!(
            "groups is {groups}, and self {:?} has {channels} channels",
            input.shape()
        )));
    };
    let out = out.shaped(input.shape())?;
    let [sources, targets] = strides(&input, &out);
    let (each, from, to) = (channels / groups, at(sources, dim), at(targets, dim));
    let mut loops = Loop::of(input.shape(), sources, targets);
    loops.splice(
        dim..=dim,
        [
            Loop::new(groups, from * each, to),
            Loop::new(each, from, to * groups),
        ],
    );
    let part = Part::new(&loops, 0, 0);
    moved(call, input, out, vec![part])
}

/// `aclnnLinspace(start, end, steps, out)`
fn spaced(call: &Call) -> Result<Plan, Refusal> {
    let (start, end) = (call.scalar("start")?.to_f64(), call.scalar("end")?.to_f64());
    let steps = count("steps", call.whole("steps")?)?;
    let out = call
        .output("out")
        .of(types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8));
    let out = out.shaped(&[steps])?;
    if steps == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        // CAST: numbers of steps, which are exact.
        let distance = (end - start) / steps.saturating_sub(1).max(1) as f64;
        let mut numbers = vec![start; steps];
        for (index, number) in numbers.iter_mut().enumerate() {
            // Both halves begin at their own end, which is exact there.
            *number = if index < steps.div_ceil(2) {
                start + distance * index as f64
            } else {
                end - distance * (steps - 1 - index) as f64
            };
        }
        views.output(&out).put_all(&numbers);
    })
}

/// `aclnnInplaceFillDiagonal(selfRef, fillValue, wrap)`: in a tall matrix the diagonal begins again behind a row of its own.
fn fill_diagonal(call: &Call) -> Result<Plan, Refusal> {
    let out = call
        .output("selfRef")
        .of(types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8 bool));
    let out = out.ranked(2..=8)?;
    let bits = call.scalar("fillValue")?.bits(out.dtype());
    let wraps = call.flag("wrap")? && out.shape().len() == 2;
    let (rows, columns) = (at(out.shape(), 0), at(out.shape(), 1));
    if out.shape().len() > 2 && out.shape().iter().any(|size| *size != rows) {
        return Err(Refusal::invalid(format_args!(
            "selfRef {:?} has more than two dimensions, which are not all equal",
            out.shape()
        )));
    }
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut mover = Mover::of_bits(views, bits, &out);
        let step: usize = out.tensor.strides.iter().sum();
        let mut row = 0;
        while row < rows {
            let to = row * at(out.tensor.strides.as_slice(), 0);
            mover.line([0, to], [0, step], columns.min(rows - row));
            row = if wraps { row + columns + 1 } else { rows };
        }
    })
}

/// `aclnnDiagFlat(self, diagonal, out)`
fn diagonal(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(MOVABLE)?;
    let out = call.output("out").like(&input)?;
    let diagonal = call.whole("diagonal")?;
    let beside = usize::try_from(diagonal.unsigned_abs()).unwrap_or(usize::MAX);
    let size = input.elements().saturating_add(beside);
    let out = out.shaped(&[size, size])?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let strides = out.tensor.strides.as_slice();
        let first = beside * at(strides, usize::from(diagonal > 0));
        let step = at(strides, 0) + at(strides, 1);
        let mut places = Vec::with_capacity(input.elements());
        let sources = input.tensor.shape.offsets(input.tensor.strides);
        for (index, from) in sources.enumerate() {
            places.push([from, first + index * step]);
        }
        let mut mover = Mover::new(views, &input, &out);
        Mover::of_bits(views, 0, &out).part(&Part::filled(&out));
        mover.blocks(&[[0; 2]], &places, &ONE);
    })
}

/// `aclnnDiag(self, diagonal, out)`: a matrix with a vector on its diagonal, or the diagonal of a matrix.
fn diagonal_or_matrix(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(MOVABLE).ranked(1..=2)?;
    if input.shape().len() == 1 {
        return diagonal(call);
    }
    let diagonal = call.whole("diagonal")?;
    let beside = usize::try_from(diagonal.unsigned_abs()).unwrap_or(usize::MAX);
    let axis = usize::from(diagonal > 0);
    let left = [0, 1].map(|dim| {
        let gone = if dim == axis { beside } else { 0 };
        at(input.shape(), dim).saturating_sub(gone)
    });
    let count = at(&left, 0).min(at(&left, 1));
    let out = call.output("out").like(&input)?.shaped(&[count])?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let (from, to) = (
            input.tensor.strides.as_slice(),
            out.tensor.strides.as_slice(),
        );
        let first = beside * at(from, axis);
        let step = at(from, 0) + at(from, 1);
        let mut mover = Mover::new(views, &input, &out);
        mover.line([first, 0], [step, at(to, 0)], count);
    })
}
