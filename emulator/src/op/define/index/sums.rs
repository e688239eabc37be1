//! Sums and products at positions that are in tensors. An element that several indices name is rounded once.

use ascendcl_sys::aclDataType;

use super::super::shape::with_size;
use super::{INDICES, Way, begin, from_start, places};
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{Kind, REAL, kind};
use crate::op::keys::ordered_keys;
use crate::op::moves::NOWHERE;
use crate::op::number::{Number, Whole};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, Split, at, dimension};
use crate::op::scalar::Scalar;
use crate::op::shape::Dims;
use crate::op::view::{Views, rows};
use crate::results::list_of;

/// Calls a function with pairs, some at a time.
type EachPair<'a> = &'a dyn Fn(&mut dyn FnMut(&[[usize; 2]]));

/// Combines elements: each pair has the offset of one in the output, which begins as a copy of the first input, and in the second
/// input. Elements are rounded once, after all operations.
pub(in crate::op::define) type Merge = fn(&Views<'_>, (&Input, &Input), &Output, EachPair<'_>);

/// Returns the function that combines elements of a data type.
pub(in crate::op::define) fn merge_of(dtype: aclDataType, way: Way) -> Merge {
    match (kind(dtype) == Some(Kind::Floating), way) {
        (true, Way::Multiply) => |views, inputs, out, pairs| {
            merge::<f64>(views, inputs, out, pairs, true);
        },
        (true, _) => |views, inputs, out, pairs| merge::<f64>(views, inputs, out, pairs, false),
        (false, Way::Multiply) => |views, inputs, out, pairs| {
            merge::<Whole>(views, inputs, out, pairs, true);
        },
        (false, _) => |views, inputs, out, pairs| merge::<Whole>(views, inputs, out, pairs, false),
    }
}

fn merge<W: Number>(
    views: &Views<'_>,
    (input, source): (&Input, &Input),
    out: &Output,
    each_pair: EachPair<'_>,
    multiplies: bool,
) {
    let sources = views.input(source).reach::<W>();
    begin(views, input, out);
    let mut out = views.output(out);
    let mut elements = out.reach::<W>();
    let (is_whole, mut touched) = (out.is_whole(), Vec::new());
    each_pair(&mut |pairs| {
        for [to, from] in pairs {
            if let Some(element) = elements.get_mut(*to) {
                let (one, other) = (*element, at(&sources, *from));
                *element = if multiplies { one * other } else { one + other };
            }
        }
        if !is_whole {
            for [to, _] in pairs {
                touched.push(*to);
            }
        }
    });
    out.put_some(&touched, &elements);
}

/// Combines the elements of a line along the last dimension with those of a line of a source, which are stored at these indices.
pub(super) type MergeLines = fn(&Views<'_>, (&Input, &[Whole]), (&Input, &Input), &Output, Way);

/// Returns the function that combines the elements of lines. No source has the memory of the output.
pub(super) fn merge_lines_of(dtype: aclDataType) -> MergeLines {
    match kind(dtype) {
        Some(Kind::Floating) => merge_lines::<f64>,
        _ => merge_lines::<Whole>,
    }
}

/// Does what [`merge`] does, line by line: what is not rounded yet stays in the first-level cache.
fn merge_lines<W: Number>(
    views: &Views<'_>,
    (index, indices): (&Input, &[Whole]),
    (input, source): (&Input, &Input),
    out: &Output,
    way: Way,
) {
    begin(views, input, out);
    let size = out.shape().last().copied().unwrap_or(1);
    let (starts, (count, step)) = rows(&index.tensor.shape, &out.tensor.strides);
    let (others, (_, along)) = rows(&index.tensor.shape, &source.tensor.strides);
    let (sources, mut out) = (views.input(source), views.output(out));
    let mut elements = vec![W::ZERO; size];
    let mut numbers = vec![W::ZERO; count];
    let lines = indices.chunks(count.max(1));
    for ((start, other), indices) in starts.zip(others).zip(lines) {
        out.read(start, step, &mut elements);
        sources.read(other, along, &mut numbers);
        for (index, number) in indices.iter().zip(&numbers) {
            let place = views.indexed(*index, size);
            if let Some(element) = place.and_then(|place| elements.get_mut(place)) {
                *element = if way == Way::Multiply {
                    *element * *number
                } else {
                    *element + *number
                };
            }
        }
        out.write(start, step, &elements);
    }
}

/// `aclnnIndexAdd(self, dim, index, source, alpha, out)`
pub(in crate::op::define) fn add(call: &Call) -> Result<Plan, Refusal> {
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
    let add: fn(&Addition, &Views<'_>, &Groups) = match kind(input.dtype()) {
        Some(Kind::Floating) => Addition::run::<f64>,
        _ => Addition::run::<Whole>,
    };
    let addition = Addition {
        input,
        source,
        out,
        alpha,
        dim,
    };
    call.plan(move |views| {
        let places = places(views, (&index, from_start), &out.tensor, dim);
        // CAST: a place in a tensor.
        let order = ordered_keys(&list_of(places.iter().map(|place| *place as i64)));
        add(&addition, views, &Groups { places, order });
    })
}

/// The places of parts along a dimension, and the order that puts equal ones together.
struct Groups {
    places: Vec<usize>,
    order: Vec<usize>,
}

/// A checked sum of a tensor and of parts at indices.
struct Addition {
    input: Input,
    source: Input,
    out: Output,
    alpha: Scalar,
    dim: usize,
}

impl Addition {
    fn run<W: Number>(&self, views: &Views<'_>, groups: &Groups) {
        let sources = views.input(&self.source);
        // What the output may overwrite is read before.
        let is_read_there = self.source.tensor.is_contiguous()
            && views.is_alone(self.out.slot, &[self.source.slot]);
        let copy = if is_read_there {
            Vec::new()
        } else {
            sources.all::<W>()
        };
        begin(views, &self.input, &self.out);
        let mut out = views.output(&self.out);
        let tensor = &self.out.tensor;
        let others = |dims: &Dims| dims.filtered(&|index| index != self.dim);
        let starts = list_of(others(&tensor.shape).offsets(others(&tensor.strides)));
        let split = Split::new(self.source.shape(), self.dim);
        // A row lies along the last dimension, or is one element if the indices go along that.
        let last = |dims: &Dims| match split.inner {
            1 => 1,
            _ => dims.as_slice().last().copied().unwrap_or(1),
        };
        let (step, length) = (last(&tensor.strides), last(&tensor.shape));
        let (alpha, rows) = (W::of(self.alpha), split.inner / length);
        let (mut row, mut other) = (vec![W::ZERO; length], vec![W::ZERO; length]);
        let mut first = 0;
        // Each row of the tensor is rounded once, after all sums.
        while let Some(part) = groups.order.get(first) {
            let place = at(&groups.places, *part);
            let mut end = first;
            while groups
                .order
                .get(end)
                .is_some_and(|one| at(&groups.places, *one) == place)
            {
                end += 1;
            }
            let same = groups.order.get(first..end).unwrap_or_default();
            first = end;
            if place == NOWHERE {
                continue;
            }
            for number in 0..starts.len() / length {
                let to = at(&starts, number * length) + place;
                out.read(to, step, &mut row);
                for part in same {
                    let from =
                        (number / rows * split.size + part) * split.inner + number % rows * length;
                    let other = if is_read_there {
                        sources.read(from, 1, &mut other);
                        &other
                    } else {
                        copy.get(from..from + length).unwrap_or_default()
                    };
                    for (one, other) in row.iter_mut().zip(other) {
                        *one = *one + alpha * *other;
                    }
                }
                out.write(to, step, &row);
            }
        }
    }
}
