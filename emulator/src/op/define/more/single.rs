//! Single elements at positions that are in tensors, and elements that are repeated as often as a tensor says.

use ascendcl_sys::ACL_BOOL;

use super::super::index::{
    Around, INDICES, ONE, Way, all_of, begin, beside, check_index, each_indexed, from_either_end,
    from_start, merge_of,
};
use super::super::shape::with_size;
use super::reduced::{Added, Reduced};
use crate::op::call::{Call, Input, Output};
use crate::op::define::definitions;
use crate::op::dtype::{MOVABLE, REAL, types};
use crate::op::moves::{Mover, NOWHERE, Named};
use crate::op::number::{Number, Whole};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count, dimension, joined};
use crate::op::shape::{Dims, Loop, Nest, broadcast};
use crate::op::view::Views;

definitions! {
    aclnnTake = take_flat;
    aclnnGatherNd = gather_rows;
    aclnnInplacePut = put_flat;
    aclnnInplaceMaskedScatter = scatter_masked;
    aclnnScatterValue, aclnnInplaceScatterValue = scatter_value;
    aclnnRepeatInterleave = repeated;
    aclnnRepeatInterleaveWithDim = repeated;
    aclnnRepeatInterleaveInt = repeated_equally;
    aclnnRepeatInterleaveTensor = counted;
}

/// Returns the offset of an element that an index names in a tensor as one row.
fn flat(views: &Views<'_>, index: Whole, (shape, strides): (&Dims, &Dims)) -> usize {
    let place = from_either_end(views, index, shape.elements().unwrap_or(0));
    let place = place.and_then(|place| shape.offset(strides, place));
    place.unwrap_or(NOWHERE)
}

/// The number of elements whose offsets stay in the first-level cache.
const TOGETHER: usize = 1024;

/// `aclnnTake(self, index, out)`
fn take_flat(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(REAL)?;
    let index = call.input("index").of(INDICES)?;
    let out = call.output("out").like(&input).shaped(index.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let is_plain = input.tensor.is_contiguous();
    call.plan(move |views| {
        let view = views.input(&index);
        // SAFETY: the operator has one output.
        let indices = unsafe { beside(views, &view, [index.slot, out.slot]) };
        let (shape, strides) = (&input.tensor.shape, &input.tensor.strides);
        let size = shape.elements().unwrap_or(0);
        let mut mover = Mover::new(views, &input, &out);
        if is_plain && out.tensor.is_contiguous() {
            let line = Named {
                starts: [0; 2],
                along: [0, 1],
                steps: [1, 0],
                size,
                reads: true,
            };
            return mover.named(&line, &indices, &mut |index| {
                views.indexed(index, size);
            });
        }
        let mut targets = out.tensor.shape.offsets(out.tensor.strides);
        let mut places = Vec::with_capacity(TOGETHER);
        for indices in indices.chunks(TOGETHER) {
            places.clear();
            for (index, to) in indices.iter().zip(&mut targets) {
                let from = match is_plain {
                    true => from_either_end(views, *index, size).unwrap_or(NOWHERE),
                    false => flat(views, *index, (shape, strides)),
                };
                places.push([from, to]);
            }
            mover.blocks(&[[0; 2]], &places, &ONE);
        }
    })
}

/// `aclnnInplacePut(selfRef, index, source, accumulate)`
fn put_flat(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("selfRef").of(REAL)?;
    let index = call.input("index").of(INDICES)?;
    let source = call.input("source").like(&input)?;
    let out = call.output("selfRef")?;
    if source.elements() != index.elements() {
        return Err(Refusal::invalid(format_args!(
            "source {:?} has not as many elements as index {:?}",
            source.shape(),
            index.shape()
        )));
    }
    let adds = call.flag("accumulate")?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let merge = merge_of(input.dtype(), Way::Add);
    call.plan(move |views| {
        let mut places = Vec::with_capacity(index.elements());
        let sources = source.tensor.shape.offsets(source.tensor.strides);
        for (one, from) in all_of(views, &index).into_iter().zip(sources) {
            let to = flat(views, one, (&out.tensor.shape, &out.tensor.strides));
            places.push([to, from]);
        }
        if adds {
            return merge(views, (&input, &source), &out, &|visit| visit(&places));
        }
        places.iter_mut().for_each(|pair| pair.swap(0, 1));
        Mover::new(views, &source, &out).blocks(&[[0; 2]], &places, &ONE);
    })
}

/// `aclnnInplaceMaskedScatter(selfRef, mask, source)`
fn scatter_masked(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("selfRef").of(REAL)?;
    let mask = call.input("mask").of(types!(bool u8))?;
    let source = call.input("source").like(&input)?;
    let out = call.output("selfRef")?;
    let shape = input.tensor.shape;
    if broadcast(&mask.tensor.shape, &shape) != Some(shape) {
        return Err(Refusal::invalid(format_args!(
            "mask {:?} does not go to selfRef {:?} by broadcasting",
            mask.shape(),
            input.shape()
        )));
    }
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let chosen = views.input(&mask).spread::<Whole>(&shape);
        let mut sources = source.tensor.shape.offsets(source.tensor.strides);
        let mut places = Vec::new();
        for (to, is_chosen) in shape.offsets(out.tensor.strides).zip(chosen) {
            if is_chosen.is_true() {
                places.push([sources.next().unwrap_or(NOWHERE), to]);
            }
        }
        places.retain(|[from, _]| *from != NOWHERE);
        Mover::new(views, &source, &out).blocks(&[[0; 2]], &places, &ONE);
    })
}

/// `aclnnGatherNd(self, indices, negativeIndexSupport, out)`: each row of the indices names a part of the tensor.
fn gather_rows(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(MOVABLE)?;
    let indices = call.input("indices").of(INDICES)?;
    let out = call.output("out").like(&input)?;
    let place = match call.flag("negativeIndexSupport")? {
        true => from_either_end,
        false => from_start,
    };
    let (width, outer) = indices.shape().split_last().unwrap_or((&0, &[]));
    let width = *width;
    let Some(part) = input.shape().get(width..).filter(|_| width > 0) else {
        return Err(Refusal::invalid(format_args!(
            "indices {:?} have rows of {width} numbers, and self {:?} has other dimensions",
            indices.shape(),
            input.shape()
        )));
    };
    let out = out.shaped(&joined(outer, part))?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let depth = outer.len();
    call.plan(move |views| {
        let numbers = all_of(views, &indices);
        let front = |dims: &Dims| dims.filtered(&|dim| dim < depth);
        let targets = front(&out.tensor.shape).offsets(front(&out.tensor.strides));
        let mut places = Vec::new();
        for (to, row) in targets.zip(numbers.chunks(width)) {
            let mut from = Some(0);
            let dims = input.shape().iter().zip(input.tensor.strides.iter());
            for ((size, stride), number) in dims.zip(row) {
                let found = place(views, *number, *size);
                from = from.zip(found).map(|(from, found)| from + found * stride);
            }
            places.push([from.unwrap_or(NOWHERE), to]);
        }
        let behind = |dims: &Dims, first: usize| dims.filtered(&|dim| dim >= first);
        let (sizes, steps) = (
            behind(&out.tensor.shape, depth),
            behind(&input.tensor.strides, width),
        );
        let to = behind(&out.tensor.strides, depth);
        let block = Nest::of_loops(&Loop::of(sizes.as_slice(), steps.as_slice(), to.as_slice()));
        Mover::new(views, &input, &out).blocks(&[[0; 2]], &places, &block);
    })
}

/// `aclnnScatterValue(self, dim, index, value, reduce, out)`: a number in place of elements, or their sums or products with it.
fn scatter_value(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(REAL)?;
    let index = call.input("index").of(INDICES)?;
    let out = call.output("out").like(&input).shaped(input.shape())?;
    let way = call.whole("reduce")?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    check_index(&index, &input, dim)?;
    if way != 0 {
        if !(1..=2).contains(&way) || input.dtype() == ACL_BOOL {
            return Err(Refusal::invalid(format_args!(
                "reduce is {way}; it is 0, or of numbers 1 or 2"
            )));
        }
        let added = Added::Number(call.scalar("value")?);
        let reduced = Reduced {
            input,
            index,
            added,
            out,
            dim,
            way,
            keeps: true,
        };
        return reduced.plan(call);
    }
    let bits = call.scalar("value")?.bits(input.dtype());
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let indices = all_of(views, &index);
        begin(views, &input, &out);
        let mut mover = Mover::of_bits(views, bits, &out);
        let mut swapped = Vec::new();
        let tensors = [&out.tensor, &index.tensor];
        each_indexed(views, (&index, &indices), tensors, dim, &mut |places| {
            swapped.clear();
            for [to, _] in places {
                swapped.push([0, *to]);
            }
            mover.blocks(&[[0; 2]], &swapped, &ONE);
        });
    })
}

/// An operator that repeats elements.
struct Repeating {
    input: Input,
    out: Output,
    /// The dimension; none means all elements in one row.
    dim: Option<usize>,
    /// The numbers of elements along it, before and behind.
    count: usize,
    size: usize,
}

fn repeating(call: &Call) -> Result<Repeating, Refusal> {
    let input = call
        .input("self")
        .of(types!(bf16 f16 f32 s8 s16 s32 s64 u8 bool))?;
    let out = call.output("out").like(&input)?;
    let size = call.whole("outputSize")?;
    let size = count("outputSize", size)?;
    let flat = [input.elements()];
    let (shape, dim) = match call.has("dim") {
        true => {
            let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
            (input.shape(), Some(dim))
        }
        false => (flat.as_slice(), None),
    };
    let along = dim.unwrap_or(0);
    let out = out.shaped(&with_size(shape, along, size))?;
    let count = shape.get(along).copied().unwrap_or(1);
    Ok(Repeating {
        input,
        out,
        dim,
        count,
        size,
    })
}

/// `aclnnRepeatInterleave(self, repeats, outputSize, out)`, and `aclnnRepeatInterleaveWithDim` with a dimension: one number for
/// all elements, or one for each.
fn repeated(call: &Call) -> Result<Plan, Refusal> {
    let repeats = call.input("repeats").of(types!(s64))?;
    let repeating = repeating(call)?;
    if repeats.elements() != 1 && repeats.shape() != [repeating.count] {
        return Err(Refusal::invalid(format_args!(
            "repeats {:?} has not one number, or {}",
            repeats.shape(),
            repeating.count
        )));
    }
    repeat(call, repeating, Some(repeats), 0)
}

/// `aclnnRepeatInterleaveInt(self, repeats, outputSize, out)`
fn repeated_equally(call: &Call) -> Result<Plan, Refusal> {
    let times = call.whole("repeats")?;
    let repeating = repeating(call)?;
    let (count, size) = (repeating.count, repeating.size);
    let all = usize::try_from(times).ok();
    if all.and_then(|times| times.checked_mul(count)) != Some(size) {
        return Err(Refusal::invalid(format_args!(
            "repeats is {times}, and outputSize {size} for {count} elements"
        )));
    }
    repeat(call, repeating, None, times)
}

/// `aclnnRepeatInterleaveTensor(repeats, outputSize, out)`: the index of each number, as often as the number says.
fn counted(call: &Call) -> Result<Plan, Refusal> {
    let repeats = call.input("repeats").of(INDICES).ranked(1..=1)?;
    let out = call.output("out").like(&repeats)?;
    let size = count("outputSize", call.whole("outputSize")?)?;
    let out = out.shaped(&[size])?;
    if size == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut results = Vec::new();
        for index in places_of(&all_of(views, &repeats), repeats.elements(), size) {
            // CAST: an index is far below the limit.
            results.push(Whole(index as i64));
        }
        views.output(&out).put_all(&results);
    })
}

/// Returns the index of each result: each index as often as its number says. A card does not compare the sum with the size.
fn places_of(times: &[Whole], count: usize, size: usize) -> Vec<usize> {
    let mut places = Vec::with_capacity(size);
    for index in 0..count {
        let times = times.get(index).or(times.first()).map_or(0, |one| one.0);
        // A number may be larger than the memory.
        let times = usize::try_from(times).unwrap_or(0);
        let end = places.len().saturating_add(times).min(size);
        places.resize(end, index);
    }
    places
}

fn repeat(
    call: &Call,
    repeating: Repeating,
    repeats: Option<Input>,
    times: i64,
) -> Result<Plan, Refusal> {
    let Repeating {
        input,
        out,
        dim,
        count,
        size,
    } = repeating;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let times = match &repeats {
            Some(repeats) => all_of(views, repeats),
            None => vec![Whole(times)],
        };
        let (from, to) = (input.tensor.strides, out.tensor.strides);
        let along = dim.unwrap_or(0);
        let step = at(to.as_slice(), along);
        let found = places_of(&times, count, size);
        let mut places = Vec::with_capacity(size);
        for index in 0..size {
            let place = found.get(index).and_then(|place| match dim {
                Some(dim) => Some(place * at(from.as_slice(), dim)),
                None => input.tensor.shape.offset(&from, *place),
            });
            // An element without a number is 0.
            places.push([place.unwrap_or(NOWHERE), index * step]);
        }
        let others = |dims: &Dims| match dim {
            Some(dim) => dims.filtered(&|at| at != dim),
            None => Dims::default(),
        };
        let (shape, strides) = (others(&input.tensor.shape), [others(&from), others(&to)]);
        let around = Around::new(along, &shape, [&strides[0], &strides[1]]);
        Mover::new(views, &input, &out).blocks(&around.starts(), &places, &around.block);
    })
}
