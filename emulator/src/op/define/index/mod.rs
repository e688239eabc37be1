//! Operators whose positions are in tensors.
//!
//! A negative index counts from the end, where the manual allows it. For an index outside of the tensor CANN promises
//! nothing. Here it reads 0, and nothing is stored; the checker reports it.

mod lines;
mod sums;

pub(super) use lines::each_indexed;
#[cfg(feature = "more-operators")]
pub(super) use sums::add;
use sums::merge_lines_of;
pub(super) use sums::merge_of;

use lines::move_named;
#[cfg(not(feature = "more-operators"))]
use sums::add;

use std::borrow::Cow;

use super::definitions;
use super::shape::with_size;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{MOVABLE, REAL, Types, types};
use crate::op::moves::{Mover, NOWHERE, Part};
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, dimension, joined};
use crate::op::shape::{Dims, Loop, MAX_RANK, Nest};
use crate::op::tensor::Tensor;
use crate::op::view::{View, Views};
use crate::results::{every, list_of};

definitions! {
    aclnnIndexSelect = select;
    aclnnGather = gather;
    aclnnGatherV2 = take;
    aclnnEmbedding = embedding;
    aclnnInplaceIndexCopy = copy;
    aclnnInplaceIndexFillTensor = fill;
    aclnnIndexAdd = add;
    aclnnScatter, aclnnInplaceScatter = scatter;
    aclnnScatterAdd = scatter_add;
    aclnnInplaceScatterUpdate = update;
    aclnnScatterNdUpdate = update_rows;
}

/// The way to find the place of an index in a dimension of a size.
type Counting = fn(&Views<'_>, Whole, usize) -> Option<usize>;

/// Takes no negative index.
pub(super) fn from_start(views: &Views<'_>, index: Whole, size: usize) -> Option<usize> {
    views.below(index, size)
}

/// Counts negative indices from the end.
pub(super) fn from_either_end(views: &Views<'_>, index: Whole, size: usize) -> Option<usize> {
    views.indexed(index, size)
}

/// The types of indices.
pub(super) const INDICES: Types = types!(s32 s64);

/// Plans to store the parts of `input` along a dimension that `index` names.
fn parts(
    call: &Call,
    input: Input,
    dim: usize,
    (index, place): (Input, Counting),
    out: Output,
) -> Result<Plan, Refusal> {
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let places = places(views, (&index, place), &input.tensor, dim);
        let end = dim + index.shape().len();
        let of_index = out.tensor.strides.filtered(&|at| (dim..end).contains(&at));
        let to = index.tensor.shape.offsets(of_index);
        let places = list_of(places.into_iter().zip(to).map(|(from, to)| [from, to]));
        let own = |at| at == dim;
        let of_out = out.tensor.strides.filtered(&|at| at < dim || at >= end);
        let (of_input, shape) = (&input.tensor.strides, &input.tensor.shape);
        let (shape, of_input) = (
            shape.filtered(&|at| !own(at)),
            of_input.filtered(&|at| !own(at)),
        );
        let around = Around::new(dim, &shape, [&of_input, &of_out]);
        Mover::new(views, &input, &out).blocks(&around.starts(), &places, &around.block);
    })
}

/// Returns the offsets at the same positions of two tensors.
pub(super) fn pairs(
    from: impl Iterator<Item = usize>,
    to: impl Iterator<Item = usize>,
) -> Vec<[usize; 2]> {
    let mut pairs = Vec::with_capacity(from.size_hint().0);
    for (from, to) in from.zip(to) {
        pairs.push([from, to]);
    }
    pairs
}

/// The dimensions around those that are indexed, of two tensors.
pub(super) struct Around {
    front: usize,
    shape: Dims,
    strides: [Dims; 2],
    /// The loops over the dimensions behind.
    pub(super) block: Nest<1>,
}

impl Around {
    /// Makes the dimensions, of which so many are in front. `shape` and `strides` lack what is indexed.
    pub(super) fn new<'a>(front: usize, shape: &'a Dims, strides: [&'a Dims; 2]) -> Self {
        let [from, to] = strides;
        let behind = |dims: &'a Dims| dims.as_slice().get(front..).unwrap_or_default();
        let block = Nest::of_loops(&Loop::of(behind(shape), behind(from), behind(to)));
        Self {
            front,
            shape: *shape,
            strides: [*from, *to],
            block,
        }
    }

    /// Returns the dimensions with the two tensors exchanged.
    pub(super) fn exchanged(&self) -> Self {
        let [from, to] = &self.strides;
        Self::new(self.front, &self.shape, [to, from])
    }

    /// Returns the shape behind, and its strides in the first tensor.
    pub(super) fn behind(&self) -> (Dims, Dims) {
        let behind = |dims: &Dims| dims.filtered(&|at| at >= self.front);
        (behind(&self.shape), behind(&self.strides[0]))
    }

    /// Returns the offsets of the positions in front, in both tensors.
    pub(super) fn starts(&self) -> Vec<[usize; 2]> {
        let before = |dims: &Dims| dims.filtered(&|at| at < self.front);
        let shape = before(&self.shape);
        let [from, to] = &self.strides;
        pairs(shape.offsets(before(from)), shape.offsets(before(to)))
    }
}

/// Returns all numbers of an index. Operators that store their input first read them before: the result may be the index.
pub(super) fn all_of(views: &Views<'_>, index: &Input) -> Vec<Whole> {
    views.input(index).all()
}

/// Returns all numbers of an index: where they lie, if the output of the operator has other memory.
///
/// # Safety
///
/// - The kernel writes nothing but this output while the numbers are borrowed.
pub(super) unsafe fn beside<'a>(
    views: &Views<'_>,
    view: &'a View<'_>,
    [index, out]: [usize; 2],
) -> Cow<'a, [Whole]> {
    if views.is_alone(out, &[index]) {
        // SAFETY: the output has other memory, and the caller's contract excludes other writes.
        unsafe { view.numbers() }
    } else {
        Cow::Owned(view.all())
    }
}

/// Returns the offset in a tensor of each part that an index names, or [`NOWHERE`].
pub(super) fn places(
    views: &Views<'_>,
    (index, place): (&Input, Counting),
    tensor: &Tensor,
    dim: usize,
) -> Vec<usize> {
    let size = tensor.shape.as_slice().get(dim).copied().unwrap_or(1);
    let step = at(tensor.strides.as_slice(), dim);
    let indices = all_of(views, index);
    let place = |index: &Whole| place(views, *index, size).map_or(NOWHERE, |place| place * step);
    list_of(indices.iter().map(place))
}

/// `aclnnIndexSelect(self, dim, index, out)`
fn select(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(MOVABLE)?;
    let index = call.input("index").of(INDICES)?;
    let out = call.output("out").like(&input)?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    let index = index.ranked(0..=1)?;
    let out = out.shaped(&with_size(input.shape(), dim, index.elements()))?;
    parts(call, input, dim, (index, from_start), out)
}

/// `aclnnGatherV2(self, dim, index, out)`
pub(super) fn take(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(REAL)?;
    let index = call.input("index").of(INDICES)?;
    let out = call.output("out").like(&input)?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    let out = out.shaped(&taken(input.shape(), dim, index.shape()))?;
    parts(call, input, dim, (index, from_either_end), out)
}

/// Returns the shape of a tensor in which a dimension is replaced by those of an index.
fn taken(shape: &[usize], dim: usize, index: &[usize]) -> Vec<usize> {
    let mut taken = shape.to_vec();
    taken.splice(dim..(dim + 1).min(shape.len()), index.iter().copied());
    taken
}

/// `aclnnEmbedding(weight, indices, out)`
fn embedding(call: &Call) -> Result<Plan, Refusal> {
    let weight = call.input("weight").of(REAL)?;
    let indices = call.input("indices").of(INDICES)?;
    let out = call.output("out").like(&weight)?;
    let weight = weight.ranked(2..=2)?;
    let out = out.shaped(&taken(weight.shape(), 0, indices.shape()))?;
    parts(call, weight, 0, (indices, from_start), out)
}

/// `aclnnGather(self, dim, index, out)`
fn gather(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(MOVABLE)?;
    let index = call.input("index").of(INDICES)?;
    let out = call.output("out").like(&input)?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    check_index(&index, &input, dim)?;
    let out = out.shaped(index.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut mover = Mover::new(views, &input, &out);
        let view = views.input(&index);
        // SAFETY: the operator has one output.
        let indices = unsafe { beside(views, &view, [index.slot, out.slot]) };
        let tensors = [&input.tensor, &out.tensor];
        move_named(views, (&index, &indices), tensors, dim, (&mut mover, true));
    })
}

/// A block of one element.
pub(super) const ONE: Nest<1> = Nest {
    outer: Vec::new(),
    inner: Loop {
        count: 1,
        out: 1,
        inputs: [1],
    },
};

/// Checks that an index has the rank of a tensor and does not reach beyond it in the other dimensions.
pub(super) fn check_index(index: &Input, input: &Input, dim: usize) -> Result<(), Refusal> {
    let mut sizes = index.shape().iter().zip(input.shape()).enumerate();
    let fits = sizes.all(|(at, (size, limit))| at == dim || size <= limit);
    if fits && index.shape().len() == input.shape().len() {
        return Ok(());
    }
    Err(Refusal::invalid(format_args!(
        "{} {:?} does not fit {} {:?} along dim {dim}",
        index.name,
        index.shape(),
        input.name,
        input.shape()
    )))
}

/// Copies a tensor to its result, if that is another one.
pub(super) fn begin(views: &Views<'_>, input: &Input, out: &Output) {
    let is_same = input.tensor.strides == out.tensor.strides
        && views.pointer(input.slot) == views.pointer(out.slot);
    if !is_same {
        Mover::new(views, input, out).part(&Part::whole(input, out));
    }
}

/// The way to combine an element with the one that is stored there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Replace,
    Add,
    Multiply,
}

/// `aclnnScatter(self, dim, index, src, reduce, out)`
fn scatter(call: &Call) -> Result<Plan, Refusal> {
    let way = match call.whole("reduce")? {
        0 => Way::Replace,
        1 => Way::Add,
        2 => Way::Multiply,
        other => {
            return Err(Refusal::invalid(format_args!(
                "reduce is {other}; it is 0, 1 or 2"
            )));
        }
    };
    scattered(call, way)
}

/// `aclnnScatterAdd(self, dim, index, src, out)`
fn scatter_add(call: &Call) -> Result<Plan, Refusal> {
    scattered(call, Way::Add)
}

fn scattered(call: &Call, way: Way) -> Result<Plan, Refusal> {
    let input = call.input("self").of(REAL)?;
    let index = call.input("index").of(INDICES)?;
    let source = call.input("src").like(&input)?;
    let out = call.output("out").like(&input)?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    check_index(&index, &input, dim)?;
    check_index(&index, &source, MAX_RANK)?;
    let out = out.shaped(input.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    if way == Way::Replace {
        return call.plan(move |views| {
            let mut mover = Mover::new(views, &source, &out);
            let view = views.input(&index);
            // SAFETY: the operator has one output.
            let indices = unsafe { beside(views, &view, [index.slot, out.slot]) };
            begin(views, &input, &out);
            let tensors = [&out.tensor, &source.tensor];
            move_named(views, (&index, &indices), tensors, dim, (&mut mover, false));
        });
    }
    let (merge, merge_lines) = (merge_of(input.dtype(), way), merge_lines_of(input.dtype()));
    call.plan(move |views| {
        let view = views.input(&index);
        // SAFETY: the operator has one output.
        let indices = unsafe { beside(views, &view, [index.slot, out.slot]) };
        if dim + 1 >= input.shape().len() && views.is_alone(out.slot, &[source.slot]) {
            return merge_lines(views, (&index, &indices), (&input, &source), &out, way);
        }
        merge(views, (&input, &source), &out, &|visit| {
            let tensors = [&out.tensor, &source.tensor];
            each_indexed(views, (&index, &indices), tensors, dim, visit);
        });
    })
}

/// `aclnnInplaceIndexCopy(selfRef, dim, index, source)`, and `aclnnIndexCopy` with `outRef`
pub(super) fn copy(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("selfRef").of(REAL)?;
    let index = call.input("index").of(INDICES)?;
    let source = call.input("source").like(&input)?;
    let is_apart = call.has("outRef");
    let out = call
        .output(if is_apart { "outRef" } else { "selfRef" })
        .like(&input)?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    let index = index.ranked(0..=1)?;
    let source = source.shaped(&with_size(input.shape(), dim, index.elements()))?;
    let out = out.shaped(input.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        begin(views, &input, &out);
        let places = places(views, (&index, from_either_end), &out.tensor, dim);
        let step = at(source.tensor.strides.as_slice(), dim);
        let places = places.into_iter().enumerate();
        let places = list_of(places.map(|(part, to)| [part * step, to]));
        let others = |dims: &Dims| dims.filtered(&|at| at != dim);
        let (from, to) = (others(&source.tensor.strides), others(&out.tensor.strides));
        let around = Around::new(dim, &others(&out.tensor.shape), [&from, &to]);
        Mover::new(views, &source, &out).blocks(&around.starts(), &places, &around.block);
    })
}

/// `aclnnIndexFillTensor(self, dim, index, value, out)`
pub(super) fn fill(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(types!(bf16 f16 f32 s32 s64 bool))?;
    let out = call.output("out").like(&input)?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    let size = input.shape().get(dim).copied().unwrap_or(1);
    let indices = call.ints("index")?.iter().map(|index| {
        Whole(*index).place(size).ok_or_else(|| {
            Refusal::invalid(format_args!(
                "index has {index}, and dim {dim} has {size} elements"
            ))
        })
    });
    let indices = every(indices)?;
    let value = call.scalar("value")?.bits(input.dtype());
    let out = out.shaped(input.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let step = at(out.tensor.strides.as_slice(), dim);
    let places = list_of(indices.iter().map(|index| [0, index * step]));
    call.plan(move |views| {
        begin(views, &input, &out);
        put_value(views, value, (&out, dim), &places);
    })
}

/// Stores one value at places of a dimension.
pub(super) fn put_value(
    views: &Views<'_>,
    value: u64,
    (out, dim): (&Output, usize),
    places: &[[usize; 2]],
) {
    let others = |dims: &Dims| dims.filtered(&|at| at != dim);
    let shape = others(&out.tensor.shape);
    let (from, to) = (shape.repeated(), others(&out.tensor.strides));
    let around = Around::new(dim, &shape, [&from, &to]);
    Mover::of_bits(views, value, out).blocks(&around.starts(), places, &around.block);
}

/// `aclnnInplaceScatterUpdate(data, indices, updates, axis)`: the updates of a batch are stored one after the other
/// along the axis. `indices` has their first position for each batch, or rows of a batch and a position.
fn update(call: &Call) -> Result<Plan, Refusal> {
    let data = call.input("data").of(types!(bf16 f16 f32 s8 s32 u8))?;
    let indices = call.input("indices").of(INDICES)?;
    let updates = call.input("updates").like(&data)?;
    let out = call.output("data")?;
    let (data, indices) = (data.ranked(2..=MAX_RANK)?, indices.ranked(0..=2)?);
    let axis = dimension("axis", call.whole("axis")?, data.shape().len())?;
    let mut sizes = updates.shape().iter().zip(data.shape()).enumerate();
    let fits = updates.shape().len() == data.shape().len()
        && sizes.all(|(index, (size, limit))| {
            if index <= axis {
                size <= limit
            } else {
                size == limit
            }
        });
    let batches = at(updates.shape(), 0);
    let is_indexed = match indices.shape() {
        [] => batches == 1,
        [count] => *count == batches,
        [count, width] => *count == batches && *width == 2,
        _ => false,
    };
    if axis == 0 || !fits || !is_indexed || data.elements() == 0 || updates.elements() == 0 {
        return Err(Refusal::invalid(format_args!(
            "updates {:?} with indices {:?} do not fit data {:?} along axis {axis}",
            updates.shape(),
            indices.shape(),
            data.shape()
        )));
    }
    let out = out.shaped(data.shape())?;
    call.plan(move |views| {
        let starts = all_of(views, &indices);
        let mut mover = Mover::new(views, &updates, &out);
        let (sources, targets) = (updates.tensor.strides, out.tensor.strides);
        let source = at(sources.as_slice(), 0);
        let target = at(targets.as_slice(), 0);
        let along = at(targets.as_slice(), axis);
        let (size, count) = (at(data.shape(), axis), at(updates.shape(), axis));
        for batch in 0..batches {
            let (row, start) = match indices.shape() {
                [_, _] => (at(&starts, 2 * batch), at(&starts, 2 * batch + 1)),
                // CAST: an index is far below the limit.
                _ => (Whole(batch as i64), at(&starts, batch)),
            };
            let row = views.below(row, at(data.shape(), 0));
            let (Some(start), Some(row)) = (views.below(start, size), row) else {
                continue;
            };
            let inside = count.min(size - start);
            if inside < count {
                // CAST: a place is far below the limit. The checker hears of the first place behind the tensor.
                views.below(Whole(size as i64), size);
            }
            let mut loops = Loop::of(updates.shape(), sources.as_slice(), targets.as_slice());
            if let Some(one) = loops.get_mut(axis) {
                one.count = inside;
            }
            loops.remove(0);
            let to = row * target + start * along;
            mover.part(&Part::new(&loops, batch * source, to));
        }
    })
}

/// `aclnnScatterNdUpdate(varRef, indices, updates)`, and `aclnnScatterNd(data, indices, updates, out)`
pub(super) fn update_rows(call: &Call) -> Result<Plan, Refusal> {
    let [from, to] = match call.has("data") {
        true => ["data", "out"],
        false => ["varRef"; 2],
    };
    let data = call.input(from).of(types!(bf16 f16 f32 s8 s64 bool))?;
    let indices = call.input("indices").of(INDICES).ranked(2..=MAX_RANK)?;
    let updates = call.input("updates").like(&data)?;
    let out = call.output(to).like(&data)?;
    let Some((width, outer)) = indices.shape().split_last() else {
        return Err(Refusal::invalid("indices has no dimensions"));
    };
    let (width, rows) = (*width, outer.iter().product::<usize>());
    let depth = indices.shape().len();
    let Some(part) = data
        .shape()
        .get(width..)
        .filter(|_| (1..=7).contains(&width))
    else {
        return Err(Refusal::invalid(format_args!(
            "indices {:?} have rows of {width} numbers, and the data {:?} has other dimensions",
            indices.shape(),
            data.shape()
        )));
    };
    let shape = joined(outer, part);
    let (updates, out) = (updates.shaped(&shape)?, out.shaped(data.shape())?);
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        begin(views, &data, &out);
        let indices = all_of(views, &indices);
        let outer = |dims: &Dims| dims.filtered(&|at| at + 1 < depth);
        let sources = outer(&updates.tensor.shape).offsets(outer(&updates.tensor.strides));
        let mut places = Vec::with_capacity(rows);
        for (source, row) in sources.zip(indices.chunks(width)) {
            let mut place = Some(0);
            let dims = data.shape().iter().zip(out.tensor.strides.iter());
            for ((limit, stride), number) in dims.zip(row) {
                let found = views.below(*number, *limit);
                place = place
                    .zip(found)
                    .map(|(place, found)| place + found * stride);
            }
            places.push([source, place.unwrap_or(NOWHERE)]);
        }
        let of_part = |dims: &Dims, first: usize| dims.filtered(&|at| at >= first);
        let shape = of_part(&out.tensor.shape, width);
        let from = of_part(&updates.tensor.strides, depth - 1);
        let to = of_part(&out.tensor.strides, width);
        let around = Around::new(0, &shape, [&from, &to]);
        Mover::new(views, &updates, &out).blocks(&around.starts(), &places, &around.block);
    })
}
