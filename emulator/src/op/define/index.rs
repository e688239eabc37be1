//! Operators whose positions are in tensors.
//!
//! A negative index counts from the end, where the manual allows it. For an index outside of the tensor CANN promises
//! nothing. Here it reads 0, and nothing is stored; the checker reports it.

use super::along::in_numbers;
use super::definitions;
use super::shape::{Positions, index_of, with_size};
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{Kind, MOVABLE, REAL, Types, kind, types};
use crate::op::number::{Number, Whole};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, Split, at, dimension};
use crate::op::shape::MAX_RANK;
use crate::op::view::Views;
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
fn from_start(views: &Views<'_>, index: Whole, size: usize) -> Option<usize> {
    views.below(index, size)
}

/// Counts negative indices from the end.
fn from_either_end(views: &Views<'_>, index: Whole, size: usize) -> Option<usize> {
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
        let elements = views.input(&input).all_bits();
        let indices = views.input(&index).all::<Whole>();
        let split = Split::new(input.shape(), dim);
        let mut results = Vec::with_capacity(out.elements());
        for outer in 0..split.outer {
            for index in &indices {
                let start = place(views, *index, split.size)
                    .map(|index| (outer * split.size + index) * split.inner);
                let part = start.and_then(|start| elements.get(start..start + split.inner));
                match part {
                    Some(part) => results.extend_from_slice(part),
                    None => results.resize(results.len() + split.inner, 0),
                }
            }
        }
        views.output(&out).put_all_bits(&results);
    })
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
fn take(call: &Call) -> Result<Plan, Refusal> {
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
        let elements = views.input(&input).all_bits();
        let mut results = Vec::with_capacity(out.elements());
        each_indexed(views, &index, &input, dim, |_, place| {
            results.push(place.map_or(0, |place| at(&elements, place)));
        });
        views.output(&out).put_all_bits(&results);
    })
}

/// Checks that an index has the rank of a tensor and does not reach beyond it in the other dimensions.
fn check_index(index: &Input, input: &Input, dim: usize) -> Result<(), Refusal> {
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

/// Calls a function for each position of an index, with the place in `input` that the index names.
fn each_indexed(
    views: &Views<'_>,
    index: &Input,
    input: &Input,
    dim: usize,
    mut visit: impl FnMut(&[usize], Option<usize>),
) {
    let indices = views.input(index).all::<Whole>();
    let mut indices = indices.iter();
    let size = input.shape().get(dim).copied().unwrap_or(1);
    let mut positions = Positions::new(index.shape());
    while let Some(position) = positions.next() {
        let found = indices.next().and_then(|index| views.indexed(*index, size));
        let place = found.map(|found| {
            let own = position.iter().enumerate();
            let own = own.map(|(index, one)| if index == dim { found } else { *one });
            index_of(input.shape(), own)
        });
        visit(position, place);
    }
}

/// The way to combine an element with the one that is stored there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
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
    call.plan_boxed(in_numbers!(input.dtype(), W => Box::new(move |views| {
        let mut elements = views.input(&input).all::<W>();
        let sources = views.input(&source).all::<W>();
        each_indexed(views, &index, &input, dim, |position, place| {
            let one = at(&sources, index_of(source.shape(), position.iter().copied()));
            if let Some(element) = place.and_then(|place| elements.get_mut(place)) {
                *element = match way {
                    Way::Replace => one,
                    Way::Add => *element + one,
                    Way::Multiply => *element * one,
                };
            }
        });
        views.output(&out).put_all(&elements);
    })))
}

/// `aclnnIndexAdd(self, dim, index, source, alpha, out)`
fn add(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(REAL)?;
    let index = call.input("index").of(INDICES)?;
    let source = call.input("source").like(&input)?;
    let alpha = call.scalar("alpha")?;
    let out = call.output("out").like(&input)?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    let index = index.ranked(0..=1)?;
    let source = source.shaped(&with_size(input.shape(), dim, index.elements()))?;
    let out = out.shaped(input.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan_boxed(in_numbers!(input.dtype(), W => Box::new(move |views| {
        let mut elements = views.input(&input).all::<W>();
        let sources = views.input(&source).all::<W>();
        each_part(views, (&index, from_start), Split::new(input.shape(), dim), |from, to| {
            if let Some(element) = elements.get_mut(to) {
                let before = *element;
                *element = before + W::of(alpha) * at(&sources, from);
            }
        });
        views.output(&out).put_all(&elements);
    })))
}

/// Calls a function for each element of the parts that an index names: with its place in a tensor of these parts, and
/// its place in the whole tensor.
fn each_part(
    views: &Views<'_>,
    (index, place): (&Input, Counting),
    split: Split,
    mut visit: impl FnMut(usize, usize),
) {
    let indices = views.input(index).all::<Whole>();
    for outer in 0..split.outer {
        for (part, index) in indices.iter().enumerate() {
            let Some(index) = place(views, *index, split.size) else {
                continue;
            };
            for inner in 0..split.inner {
                let from = (outer * indices.len() + part) * split.inner + inner;
                visit(from, (outer * split.size + index) * split.inner + inner);
            }
        }
    }
}

/// `aclnnInplaceIndexCopy(selfRef, dim, index, source)`
fn copy(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("selfRef").of(REAL)?;
    let index = call.input("index").of(INDICES)?;
    let source = call.input("source").like(&input)?;
    let out = call.output("selfRef")?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    let index = index.ranked(0..=1)?;
    let source = source.shaped(&with_size(input.shape(), dim, index.elements()))?;
    let out = out.shaped(input.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut elements = views.input(&input).all_bits();
        let sources = views.input(&source).all_bits();
        each_part(
            views,
            (&index, from_either_end),
            Split::new(input.shape(), dim),
            |from, to| {
                if let Some(element) = elements.get_mut(to) {
                    *element = at(&sources, from);
                }
            },
        );
        views.output(&out).put_all_bits(&elements);
    })
}

/// `aclnnInplaceIndexFillTensor(selfRef, dim, index, value)`
fn fill(call: &Call) -> Result<Plan, Refusal> {
    let input = call
        .input("selfRef")
        .of(types!(bf16 f16 f32 s32 s64 bool))?;
    let out = call.output("selfRef")?;
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
    call.plan(move |views| {
        let mut elements = views.input(&input).all_bits();
        let split = Split::new(input.shape(), dim);
        for (place, element) in elements.iter_mut().enumerate() {
            if indices.contains(&(place / split.inner.max(1) % split.size.max(1))) {
                *element = value;
            }
        }
        views.output(&out).put_all_bits(&elements);
    })
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
        let mut elements = views.input(&data).all_bits();
        let sources = views.input(&updates).all_bits();
        let starts = views.input(&indices).all::<Whole>();
        let mut sources = sources.iter();
        let mut positions = Positions::new(updates.shape());
        while let Some(position) = positions.next() {
            let batch = at(position, 0);
            let (row, start) = match indices.shape() {
                [_, _] => (at(&starts, 2 * batch), at(&starts, 2 * batch + 1)),
                // CAST: an index is far below the limit.
                _ => (Whole(batch as i64), at(&starts, batch)),
            };
            let row = views.below(row, at(data.shape(), 0));
            let size = at(data.shape(), axis);
            // CAST: a place and a distance are far below the limit.
            let place = views
                .below(start, size)
                .map(|start| Whole((start + at(position, axis)) as i64))
                .and_then(|place| views.below(place, size));
            let (Some(source), Some(row), Some(place)) = (sources.next(), row, place) else {
                continue;
            };
            let own = position.iter().enumerate().map(|(index, one)| match index {
                0 => row,
                _ if index == axis => place,
                _ => *one,
            });
            if let Some(element) = elements.get_mut(index_of(data.shape(), own)) {
                *element = *source;
            }
        }
        views.output(&out).put_all_bits(&elements);
    })
}

/// `aclnnScatterNdUpdate(varRef, indices, updates)`
fn update_rows(call: &Call) -> Result<Plan, Refusal> {
    let data = call.input("varRef").of(types!(bf16 f16 f32 s8 s64 bool))?;
    let indices = call.input("indices").of(INDICES).ranked(2..=MAX_RANK)?;
    let updates = call.input("updates").like(&data)?;
    let out = call.output("varRef")?;
    let Some((width, outer)) = indices.shape().split_last() else {
        return Err(Refusal::invalid("indices has no dimensions"));
    };
    let (width, rows) = (*width, outer.iter().product::<usize>());
    let Some(part) = data
        .shape()
        .get(width..)
        .filter(|_| (1..=7).contains(&width))
    else {
        return Err(Refusal::invalid(format_args!(
            "indices {:?} have rows of {width} numbers, and varRef {:?} has other dimensions",
            indices.shape(),
            data.shape()
        )));
    };
    let shape = list_of(outer.iter().chain(part).copied());
    let (updates, out) = (updates.shaped(&shape)?, out.shaped(data.shape())?);
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let size = part.iter().product::<usize>();
    call.plan(move |views| {
        let mut elements = views.input(&data).all_bits();
        let sources = views.input(&updates).all_bits();
        let indices = views.input(&indices).all::<Whole>();
        for row in 0..rows {
            let mut place = Some(0);
            for (dim, limit) in data.shape().iter().take(width).enumerate() {
                let found = views.below(at(&indices, row * width + dim), *limit);
                place = place.zip(found).map(|(place, found)| place * limit + found);
            }
            let to = place.and_then(|place| elements.get_mut(place * size..(place + 1) * size));
            if let (Some(to), Some(from)) = (to, sources.get(row * size..(row + 1) * size)) {
                to.copy_from_slice(from);
            }
        }
        views.output(&out).put_all_bits(&elements);
    })
}
