//! Operators that move elements to other places, or fill the places around them.

use super::definitions;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{MOVABLE, Types, can_cast, promote, types};
use crate::op::moves::{Mover, Part, Segment, combined};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count, dimension, joined, put};
use crate::op::shape::{Dims, Loop, MAX_RANK};
use crate::results::{every, list_of};

definitions! {
    aclnnPermute = permute;
    aclnnStack = stack;
    aclnnSplitTensor = split_evenly;
    aclnnSplitWithSize = split_by_sizes;
    aclnnExpand = expand;
    aclnnRepeat = repeat;
    aclnnRepeatInterleaveIntWithDim = interleave;
    aclnnFlip = flip;
    aclnnRoll = roll;
    aclnnConstantPadNd = pad;
    aclnnReflectionPad1d = reflect;
    aclnnTril, aclnnInplaceTril = |call: &Call| triangle(call, true);
    aclnnTriu, aclnnInplaceTriu = |call: &Call| triangle(call, false);
}

/// The positions of a shape, one after the other; the last dimension counts fastest. They are borrowed from this, so it is
/// no iterator.
pub(super) struct Positions<'a> {
    shape: &'a [usize],
    position: Vec<usize>,
    /// The number of positions that are left.
    left: usize,
    is_begun: bool,
}

impl<'a> Positions<'a> {
    pub(super) fn new(shape: &'a [usize]) -> Self {
        Self {
            shape,
            position: vec![0; shape.len()],
            left: shape.iter().product(),
            is_begun: false,
        }
    }

    /// Goes to the next position.
    pub(super) fn next(&mut self) -> Option<&[usize]> {
        self.left = self.left.checked_sub(1)?;
        if !core::mem::replace(&mut self.is_begun, true) {
            return Some(&self.position);
        }
        for (one, size) in self.position.iter_mut().zip(self.shape).rev() {
            *one += 1;
            if *one < *size {
                break;
            }
            *one = 0;
        }
        Some(&self.position)
    }
}

/// Plans to move parts of `input` to `out`.
pub(super) fn moved(
    call: &Call,
    input: Input,
    out: Output,
    parts: Vec<Part>,
) -> Result<Plan, Refusal> {
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut mover = Mover::new(views, &input, &out);
        parts.iter().for_each(|part| mover.part(part));
    })
}

/// Returns the parts that `segments` of one dimension are, with all of the others.
pub(super) fn parts_along(
    input: &Input,
    out: &Output,
    dim: usize,
    segments: [Segment; 3],
) -> Vec<Part> {
    combined(strides(input, out), &|index| match index == dim {
        true => segments,
        false => Segment::same(at(input.shape(), index)).alone(),
    })
}

pub(super) fn strides<'a>(input: &'a Input, out: &'a Output) -> [&'a [usize]; 2] {
    [
        input.tensor.strides.as_slice(),
        out.tensor.strides.as_slice(),
    ]
}

/// Returns an input and an output that only move elements: both have one of these types.
pub(super) fn pair(call: &Call, name: &str) -> Result<(Input, Output), Refusal> {
    pair_of(call, name, MOVABLE)
}

pub(super) fn pair_of(call: &Call, name: &str, types: Types) -> Result<(Input, Output), Refusal> {
    let input = call.input(name).of(types)?;
    Ok((input, call.output("out").like(&input)?))
}

/// Returns the shape of a tensor with another size in one dimension.
pub(super) fn with_size(shape: &[usize], dim: usize, size: usize) -> Vec<usize> {
    let mut shape = shape.to_vec();
    put(&mut shape, dim, size);
    shape
}

/// `aclnnPermute(self, dims, out)`
fn permute(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = pair(call, "self")?;
    let (dims, rank) = (call.ints("dims")?, input.shape().len());
    let order = every(dims.iter().map(|dim| dimension("dims", *dim, rank)))?;
    let is_each = (0..rank).all(|dim| order.contains(&dim)) && order.len() == rank;
    if !is_each {
        return Err(Refusal::invalid(format_args!(
            "dims {dims:?} is no order of {rank} dimensions"
        )));
    }
    let shape = list_of(order.iter().map(|dim| at(input.shape(), *dim)));
    let out = out.shaped_or_one(&shape)?;
    let [sources, targets] = strides(&input, &out);
    let sources = list_of(order.iter().map(|dim| at(sources, *dim)));
    let part = Part::new(&Loop::of(&shape, &sources, targets), 0, 0);
    moved(call, input, out, vec![part])
}

/// `aclnnStack(tensors, dim, out)`: joins tensors along a new dimension, after promoting them to one data type.
fn stack(call: &Call) -> Result<Plan, Refusal> {
    let (inputs, out) = (call.inputs("tensors")?, call.output("out").of(MOVABLE)?);
    let Some(first) = inputs.first().copied() else {
        return Err(Refusal::invalid("tensors is an empty list"));
    };
    let mut promoted = first.of(MOVABLE)?.dtype();
    for input in &inputs {
        promoted = promote(promoted, input.of(MOVABLE)?.dtype()).ok_or_else(|| {
            Refusal::invalid(format_args!(
                "tensors of {promoted:?} and {:?} have no common data type",
                input.dtype()
            ))
        })?;
        let _ = input.shaped(first.shape())?;
    }
    if !can_cast(promoted, out.dtype()) {
        return Err(Refusal::invalid(format_args!(
            "tensors of {promoted:?} cannot be cast to out of {:?}",
            out.dtype()
        )));
    }
    let dim = dimension("dim", call.whole("dim")?, first.shape().len() + 1)?;
    let mut shape = first.shape().to_vec();
    shape.insert(dim, inputs.len());
    let out = out.shaped(&shape)?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let without = |dims: &Dims| dims.filtered(&|index| index != dim);
    let stride = at(out.tensor.strides.as_slice(), dim);
    let (parts, strides) = (without(&out.tensor.shape), without(&out.tensor.strides));
    let passes = inputs.iter().enumerate().map(|(index, input)| {
        super::join::moved(*input, promoted, out, (&parts, &strides), index * stride)
    });
    let passes = every(passes)?;
    call.plan(move |views| passes.iter().for_each(|pass| pass.run(views)))
}

/// Plans to store parts of `input` along a dimension in the tensors of `out`.
fn split(call: &Call, sizes: &[usize]) -> Result<Plan, Refusal> {
    let input = call.input("self").of(MOVABLE)?;
    let outs = call.outputs("out")?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    if outs.len() != sizes.len() {
        return Err(Refusal::invalid(format_args!(
            "out has {} tensors, and self {:?} has {} parts",
            outs.len(),
            input.shape(),
            sizes.len()
        )));
    }
    let (mut parts, mut start) = (Vec::with_capacity(outs.len()), 0);
    for (out, size) in outs.into_iter().zip(sizes) {
        let shape = with_size(input.shape(), dim, *size);
        let out = out.like(&input).shaped(&shape)?;
        let segment = Segment {
            from: start,
            ..Segment::same(*size)
        };
        parts.push((out, parts_along(&input, &out, dim, segment.alone())));
        start += size;
    }
    call.plan(move |views| {
        for (out, parts) in &parts {
            let mut mover = Mover::new(views, &input, out);
            parts.iter().for_each(|part| mover.part(part));
        }
    })
}

/// `aclnnSplitTensor(self, splitSections, dim, out)`: `splitSections` is the size of a part; the last one may be
/// smaller.
fn split_evenly(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self")?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    let (whole, size) = (
        at(input.shape(), dim),
        count("splitSections", call.whole("splitSections")?)?,
    );
    if size == 0 && whole > 0 {
        return Err(Refusal::invalid("splitSections is 0"));
    }
    let starts = (0..whole.max(1)).step_by(size.max(1));
    let sizes = list_of(starts.map(|start| size.min(whole - start)));
    split(call, &sizes)
}

/// `aclnnSplitWithSize(self, splitSize, dim, out)`
fn split_by_sizes(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self")?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    let sizes = call
        .ints("splitSize")?
        .iter()
        .map(|size| count("splitSize", *size));
    let sizes = every(sizes)?;
    if sizes.iter().sum::<usize>() != at(input.shape(), dim) {
        return Err(Refusal::invalid(format_args!(
            "splitSize {sizes:?} does not sum up to dim {dim} of self {:?}",
            input.shape()
        )));
    }
    split(call, &sizes)
}

/// The types that `aclnnSlice` and `aclnnExpand` take.
pub(super) const PARTS: Types = types!(bf16 f16 f32 s8 s32 s64 u8 bool);

/// `aclnnExpand(self, size, out)`: -1 keeps the size of a dimension.
fn expand(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = pair_of(call, "self", PARTS)?;
    let sizes = call.ints("size")?;
    let Some(missing) = sizes.len().checked_sub(input.shape().len()) else {
        return Err(Refusal::invalid(format_args!(
            "size {sizes:?} has fewer dimensions than self {:?}",
            input.shape()
        )));
    };
    let own = joined(&vec![1; missing], input.shape());
    let mut shape = Vec::with_capacity(sizes.len());
    for (index, (size, own)) in sizes.iter().zip(own.iter().copied()).enumerate() {
        let size = if *size == -1 && index >= missing {
            own
        } else {
            count("size", *size)?
        };
        if own != 1 && size != own {
            return Err(Refusal::invalid(format_args!(
                "size {sizes:?} does not go with self {:?}",
                input.shape()
            )));
        }
        shape.push(size);
    }
    let out = out.shaped(&shape)?;
    let part = Part::whole(&input, &out);
    moved(call, input, out, vec![part])
}

/// `aclnnRepeat(self, repeats, out)`
fn repeat(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = pair(call, "self")?;
    let repeats = call.ints("repeats")?;
    let missing = repeats.len().checked_sub(input.shape().len());
    let (Some(missing), 0..=MAX_RANK) = (missing, repeats.len()) else {
        return Err(Refusal::invalid(format_args!(
            "repeats {repeats:?} has fewer dimensions than self {:?}, or more than {MAX_RANK}",
            input.shape()
        )));
    };
    let own = joined(&vec![1; missing], input.shape());
    let shape = repeats
        .iter()
        .zip(&own)
        .map(|(times, size)| Ok(count("repeats", *times)?.saturating_mul(*size)));
    let out = out.shaped(&every(shape)?)?;
    let [sources, targets] = strides(&input, &out);
    let mut loops = Vec::with_capacity(2 * own.len());
    for (index, size) in own.iter().enumerate() {
        let (to, whole) = (at(targets, index), at(out.shape(), index));
        let from = index
            .checked_sub(missing)
            .map_or(0, |index| at(sources, index));
        loops.push(Loop::new(*size, from, to));
        loops.push(Loop::new(
            whole.checked_div(*size).unwrap_or(0),
            0,
            size * to,
        ));
    }
    let part = Part::new(&loops, 0, 0);
    moved(call, input, out, vec![part])
}

/// `aclnnRepeatInterleaveIntWithDim(self, repeats, dim, outputSize, out)`
fn interleave(call: &Call) -> Result<Plan, Refusal> {
    let types = types!(bf16 f16 f32 s8 s16 s32 s64 u8 bool);
    let (input, out) = pair_of(call, "self", types)?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    let repeats = count("repeats", call.whole("repeats")?)?;
    let size = at(input.shape(), dim).saturating_mul(repeats);
    let given = call.whole("outputSize")?;
    if usize::try_from(given) != Ok(size) {
        return Err(Refusal::invalid(format_args!(
            "outputSize is {given}, and the result has {size}"
        )));
    }
    let out = out.shaped(&with_size(input.shape(), dim, size))?;
    let [sources, targets] = strides(&input, &out);
    let mut loops = Loop::of(input.shape(), sources, targets);
    if let Some(one) = loops.get_mut(dim) {
        one.out *= repeats;
    }
    loops.push(Loop::new(repeats, 0, at(targets, dim)));
    let part = Part::new(&loops, 0, 0);
    moved(call, input, out, vec![part])
}

/// `aclnnFlip(self, dims, out)`
fn flip(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = pair(call, "self")?;
    let rank = input.shape().len();
    let mut is_flipped = [false; MAX_RANK];
    for dim in call.ints("dims")? {
        let index = dimension("dims", *dim, rank)?;
        if core::mem::replace(is_flipped.get_mut(index).unwrap_or(&mut false), true) {
            return Err(Refusal::invalid(format_args!("dims names {dim} twice")));
        }
    }
    let out = out.shaped(input.shape())?;
    let parts = combined(strides(&input, &out), &|index| {
        let size = at(input.shape(), index);
        match at(&is_flipped, index) {
            true => Segment::backwards(size, size.saturating_sub(1)).alone(),
            false => Segment::same(size).alone(),
        }
    });
    moved(call, input, out, parts)
}

/// `aclnnRoll(x, shifts, dims, out)`: without dimensions the tensor is moved as one row.
fn roll(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = pair(call, "x")?;
    let (shifts, dims) = (call.ints("shifts")?, call.ints("dims")?);
    let out = out.shaped(input.shape())?;
    // CAST: a size of a tensor; the remainder is below it.
    let back =
        |size: usize, shift: i64| (size as i64 - shift.rem_euclid(size.max(1) as i64)) as usize;
    if dims.is_empty() {
        let [shift] = shifts else {
            return Err(Refusal::invalid(format_args!(
                "shifts {shifts:?} has not one number, and dims has none"
            )));
        };
        let len = input.elements();
        let start = back(len, *shift);
        if out.elements() == 0 {
            return Ok(call.nothing());
        }
        if input.tensor.is_contiguous() && out.tensor.is_contiguous() {
            let parts = combined([&[1], &[1]], &|_| rolled(len, start));
            return moved(call, input, out, parts);
        }
        return call.plan(move |views| {
            let mut elements = views.input(&input).all_bits();
            elements.rotate_left(start % len);
            views.output(&out).put_all_bits(&elements);
        });
    }
    if dims.len() != shifts.len() {
        return Err(Refusal::invalid(format_args!(
            "shifts {shifts:?} and dims {dims:?} differ in length"
        )));
    }
    let mut starts = [0; MAX_RANK];
    for (dim, shift) in dims.iter().zip(shifts) {
        let dim = dimension("dims", *dim, input.shape().len())?;
        let before = at(&starts, dim);
        put(
            &mut starts,
            dim,
            before + back(at(input.shape(), dim), *shift),
        );
    }
    let parts = combined(strides(&input, &out), &|index| {
        rolled(at(input.shape(), index), at(&starts, index))
    });
    moved(call, input, out, parts)
}

/// Returns the segments of a dimension whose first index comes from `start`, or from what `start` leaves behind whole rounds.
fn rolled(size: usize, start: usize) -> [Segment; 3] {
    let start = start.checked_rem(size).unwrap_or(0);
    let first = Segment {
        from: start,
        ..Segment::same(size - start)
    };
    let second = Segment {
        to: size - start,
        ..Segment::same(start)
    };
    [first, second, Segment::NONE]
}

/// `aclnnConstantPadNd(self, pad, value, out)`: two widths for each dimension, beginning with the last one.
fn pad(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = pair(call, "self")?;
    let (pads, value) = (call.ints("pad")?, call.scalar("value")?);
    let rank = input.shape().len();
    if pads.len() % 2 != 0 || pads.len() > 2 * rank {
        return Err(Refusal::invalid(format_args!(
            "pad {pads:?} has no two widths for each of the last of {rank} dimensions"
        )));
    }
    let mut starts = [0i64; MAX_RANK];
    let mut shape = input.shape().to_vec();
    let widths = pads.chunks(2).map(|pair| (at(pair, 0), at(pair, 1)));
    for ((before, after), index) in widths.zip((0..rank).rev()) {
        // CAST: a size of a tensor.
        let size = (at(&shape, index) as i64)
            .saturating_add(before)
            .saturating_add(after);
        put(&mut shape, index, count("the size of the result", size)?);
        put(&mut starts, index, before);
    }
    let out = out.shaped(&shape)?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let parts = combined(strides(&input, &out), &|index| {
        let (size, padded) = (at(input.shape(), index), at(out.shape(), index));
        let start = at(&starts, index);
        // CAST: a width beyond all sizes leaves nothing.
        let skipped = start.min(0).unsigned_abs() as usize;
        let to = start.max(0) as usize;
        let count = size.saturating_sub(skipped).min(padded.saturating_sub(to));
        let from = if count == 0 { 0 } else { skipped };
        Segment {
            from,
            to,
            ..Segment::same(count)
        }
        .alone()
    });
    let bits = value.bits(input.dtype());
    call.plan(move |views| {
        // An input in the memory of the output is copied before that is filled.
        let mut mover = Mover::new(views, &input, &out);
        Mover::of_bits(views, bits, &out).part(&Part::filled(&out));
        parts.iter().for_each(|part| mover.part(part));
    })
}

/// `aclnnReflectionPad1d(self, padding, out)`
fn reflect(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = pair(call, "self")?;
    let input = input.ranked(2..=3)?;
    let padding = call.ints("padding")?;
    let [before, after] = padding else {
        return Err(Refusal::invalid(format_args!(
            "padding {padding:?} has not two numbers"
        )));
    };
    let (before, after) = (count("padding", *before)?, count("padding", *after)?);
    let last = input.shape().len() - 1;
    let width = at(input.shape(), last);
    if before >= width || after >= width {
        return Err(Refusal::invalid(format_args!(
            "padding {padding:?} is not below the width {width}"
        )));
    }
    let out = out.shaped(&with_size(input.shape(), last, width + before + after))?;
    let segments = [
        Segment::backwards(before, before),
        Segment {
            to: before,
            ..Segment::same(width)
        },
        Segment {
            to: before + width,
            ..Segment::backwards(after, width.saturating_sub(2))
        },
    ];
    let parts = parts_along(&input, &out, last, segments);
    moved(call, input, out, parts)
}

/// `aclnnTril(self, diagonal, out)` and `aclnnTriu(self, diagonal, out)`
fn triangle(call: &Call, is_lower: bool) -> Result<Plan, Refusal> {
    let types = types!(bf16 f16 f32 f64 s8 s16 s32 s64 u8 u16 u32 u64 bool);
    let input = call.input("self").of(types).ranked(2..=MAX_RANK)?;
    let out = call.output("out").like(&input).shaped(input.shape())?;
    let diagonal = call.whole("diagonal")?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let last = input.shape().len() - 1;
    let outer = move |dims: &Dims| dims.filtered(&|index| index < last);
    let (rows, columns) = (at(input.shape(), last - 1), at(input.shape(), last));
    let [from, to] = strides(&input, &out);
    let steps = [at(from, last), at(to, last)];
    call.plan(move |views| {
        let counts = outer(&input.tensor.shape);
        let starts = counts.offsets(outer(&input.tensor.strides));
        let starts = starts.zip(counts.offsets(outer(&out.tensor.strides)));
        let mut mover = Mover::new(views, &input, &out);
        let mut zeros = Mover::of_bits(views, 0, &out);
        let [from_step, to_step] = steps;
        for ((from, to), row) in starts.zip((0..rows).cycle()) {
            // CAST: positions in a tensor. The kept columns end with the diagonal, or begin there.
            let diagonal = (row as i64).saturating_add(diagonal);
            let middle = diagonal.saturating_add(i64::from(is_lower));
            let middle = middle.clamp(0, columns as i64) as usize;
            let (kept, rest) = match is_lower {
                true => (0..middle, middle..columns),
                false => (middle..columns, 0..middle),
            };
            let starts = [from + kept.start * from_step, to + kept.start * to_step];
            mover.line(starts, steps, kept.len());
            zeros.line([0, to + rest.start * to_step], [0, to_step], rest.len());
        }
    })
}
