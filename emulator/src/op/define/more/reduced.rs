//! Elements that are combined at indices, parts that are unique beside each other, and parts of batches at indices.

use super::super::along::in_numbers;
use super::super::index::{INDICES, ONE, all_of, check_index, from_either_end, from_start};
use super::super::select::{DECIDED, Groups, NO_DIM, unique};
use crate::op::call::{Call, Input, Output};
use crate::op::define::definitions;
use crate::op::dtype::{Kind, MOVABLE, REAL, kind, types};
use crate::op::moves::{Mover, NOWHERE};
use crate::op::number::{Number, Whole};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, Split, at, dimension, joined, put};
use crate::op::scalar::Scalar;
use crate::op::view::Views;
use crate::results::list_of;

definitions! {
    aclnnScatterReduce, aclnnInplaceScatterReduce = reduce;
    aclnnGatherV3 = take_in_batches;
    aclnnUniqueConsecutive = consecutive;
}

/// What is combined with an element: the elements of a tensor, or one number.
#[derive(Clone, Copy)]
pub(super) enum Added {
    Tensor(Input),
    Number(Scalar),
}

/// A combination at indices of a dimension.
#[derive(Clone, Copy)]
pub(super) struct Reduced {
    pub(super) input: Input,
    pub(super) index: Input,
    pub(super) added: Added,
    pub(super) out: Output,
    pub(super) dim: usize,
    /// 0 replaces, 1 adds, 2 multiplies, 3 and 4 take the largest and the smallest, and 5 the mean.
    pub(super) way: i64,
    /// Whether the element that was there before takes part.
    pub(super) keeps: bool,
}

/// `aclnnScatterReduce(self, dim, index, src, reduce, includeSelf, out)`
fn reduce(call: &Call) -> Result<Plan, Refusal> {
    let input = call
        .input("self")
        .of(types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8))?;
    let index = call.input("index").of(INDICES)?;
    let source = call.input("src").like(&input)?;
    let out = call.output("out").like(&input)?.shaped(input.shape())?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    check_index(&index, &input, dim)?;
    let mut sizes = index.shape().iter().zip(source.shape());
    if index.shape().len() != source.shape().len() || !sizes.all(|(size, most)| size <= most) {
        return Err(Refusal::invalid(format_args!(
            "index {:?} is larger than src {:?}",
            index.shape(),
            source.shape()
        )));
    }
    let way = call.whole("reduce")?;
    if !(0..=5).contains(&way) {
        return Err(Refusal::invalid(format_args!(
            "reduce is {way}; it is 0 to 5"
        )));
    }
    let keeps = call.flag("includeSelf")?;
    let added = Added::Tensor(source);
    let reduced = Reduced {
        input,
        index,
        added,
        out,
        dim,
        way,
        keeps,
    };
    reduced.plan(call)
}

impl Reduced {
    pub(super) fn plan(self, call: &Call) -> Result<Plan, Refusal> {
        if self.out.elements() == 0 {
            return Ok(call.nothing());
        }
        let scalar = match self.added {
            Added::Number(scalar) => scalar,
            Added::Tensor(_) => Scalar::whole(0),
        };
        let is_floating = kind(self.input.dtype()) == Some(Kind::Floating);
        call.plan(move |views| {
            if is_floating {
                self.run(views, scalar.to_f64(), |sum, count| sum / count);
            } else {
                self.run(views, scalar.to_whole(), Whole::quotient_down);
            }
        })
    }

    fn run<W: Number>(&self, views: &Views<'_>, number: W, mean: fn(W, W) -> W) {
        let shape = self.index.shape();
        let mut results = views.input(&self.input).all::<W>();
        let mut counts = vec![W::truth(self.keeps); results.len()];
        let indices = all_of(views, &self.index);
        let added: Vec<W> = match &self.added {
            Added::Tensor(source) => {
                let view = views.input(source);
                let places = self.index.tensor.shape.offsets(source.tensor.strides);
                list_of(places.map(|place| view.at(place)))
            }
            Added::Number(_) => vec![number; indices.len()],
        };
        let size = at(self.input.shape(), self.dim);
        for (position, (index, added)) in indices.iter().zip(added).enumerate() {
            let Some(index) = from_start(views, *index, size) else {
                continue;
            };
            // The place of the position among the indices, and then that among the elements.
            let (mut rest, mut place, mut step) = (position, 0, 1);
            for (axis, sizes) in shape.iter().zip(self.input.shape()).enumerate().rev() {
                let own = rest % sizes.0.max(&1);
                rest /= sizes.0.max(&1);
                place += step * if axis == self.dim { index } else { own };
                step *= sizes.1;
            }
            let before = at(&results, place);
            let count = at(&counts, place);
            let combined = match self.way {
                _ if !count.is_true() => added,
                1 | 5 => before + added,
                2 => before * added,
                3 => before.larger(added),
                4 => before.smaller(added),
                _ => added,
            };
            put(&mut results, place, combined);
            put(&mut counts, place, count + W::truth(true));
        }
        if self.way == 5 {
            for (result, count) in results.iter_mut().zip(counts) {
                if count.is_true() {
                    *result = mean(*result, count);
                }
            }
        }
        views.output(&self.out).put_all(&results);
    }
}

/// `aclnnGatherV3(self, dim, index, batchDims, mode, out)`: the first `batchDims` dimensions of both tensors are the same, and each
/// batch has indices of its own.
fn take_in_batches(call: &Call) -> Result<Plan, Refusal> {
    let batches = call.whole("batchDims")?;
    if batches == 0 {
        return super::super::index::take(call);
    }
    let input = call.input("self").of(REAL)?;
    let index = call.input("index").of(INDICES)?;
    let out = call.output("out").like(&input)?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    let wanted = if batches < 0 {
        batches.saturating_add_unsigned(index.shape().len() as u64)
    } else {
        batches
    };
    let count = usize::try_from(wanted).ok().filter(|count| *count <= dim);
    let Some((count, outer, picked)) = count.and_then(|count| {
        let (outer, picked) = index.shape().split_at_checked(count)?;
        (input.shape().get(..count) == Some(outer)).then_some((count, outer, picked))
    }) else {
        return Err(Refusal::invalid(format_args!(
            "batchDims is {batches} for dim {dim}, self {:?} and index {:?}",
            input.shape(),
            index.shape()
        )));
    };
    let (between, behind) = (
        input.shape().get(count..dim).unwrap_or_default(),
        input.shape().get(dim + 1..).unwrap_or_default(),
    );
    let shape = joined(&joined(outer, between), &joined(picked, behind));
    let out = out.shaped(&shape)?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let size = at(input.shape(), dim);
    let product = |sizes: &[usize]| sizes.iter().product::<usize>();
    let (between, picked, behind) = (product(between), product(picked), product(behind));
    call.plan(move |views| {
        let indices = all_of(views, &index);
        let targets = out.tensor.shape.offsets(out.tensor.strides);
        let mut places = Vec::new();
        for (position, to) in targets.enumerate() {
            let (rest, last) = (position / behind, position % behind);
            let (rest, pick) = (rest / picked, rest % picked);
            let chosen = at(&indices, rest / between * picked + pick);
            let place = from_either_end(views, chosen, size);
            let place = place.map(|place| (rest * size + place) * behind + last);
            let (shape, strides) = (&input.tensor.shape, &input.tensor.strides);
            let from = place.and_then(|place| shape.offset(strides, place));
            places.push([from.unwrap_or(NOWHERE), to]);
        }
        Mover::new(views, &input, &out).blocks(&[[0; 2]], &places, &ONE);
    })
}

/// `aclnnUniqueConsecutive(self, returnInverse, returnCounts, dim, valueOut, inverseOut, countsOut)`: with a dimension, parts that
/// equal the part before them are left out. `valueOut` has any shape with as many elements as `self`.
fn consecutive(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(MOVABLE)?;
    if call.whole("dim")? == NO_DIM || input.shape().len() == 1 {
        return unique(call);
    }
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    let split = Split::new(input.shape(), dim);
    let values = call.output("valueOut").like(&input)?;
    if values.elements() != input.elements() {
        return Err(Refusal::invalid(format_args!(
            "valueOut has {} elements, and self {}",
            values.elements(),
            input.elements()
        )));
    }
    let figure = |name: &str, flag: &str| -> Result<Option<Output>, Refusal> {
        let out = call.output(name).of(types!(s64))?;
        match call.flag(flag)? {
            true => Ok(Some(out.shaped(&[split.size])?)),
            false => Ok(None),
        }
    };
    let inverse = figure("inverseOut", "returnInverse")?;
    let counts = figure("countsOut", "returnCounts")?;
    call.plan_boxed(in_numbers!(input.dtype(), W => Box::new(move |views| {
        let elements = views.input(&input).all::<W>();
        let Split { outer, size, inner } = split;
        let of = |part: usize, index: usize| {
            let (outer, inside) = (index / inner, index % inner);
            at(&elements, (outer * size + part) * inner + inside)
        };
        let is_equal = |one: usize, other: usize| {
            (0..outer * inner).all(|index| of(one, index) == of(other, index))
        };
        let found = Groups::new(Vec::from_iter(0..size), &is_equal);
        let mut kept = Vec::new();
        for outside in 0..outer {
            for first in &found.firsts {
                kept.extend((0..inner).map(|inside| of(*first, outside * inner + inside)));
            }
        }
        views.output(&values).put_all(&kept);
        let mut shape = input.shape().to_vec();
        put(&mut shape, dim, found.firsts.len());
        values.reshape(&shape);
        if let Some(inverse) = &inverse {
            views.output(inverse).put_all(&found.places);
        }
        if let Some(counts) = &counts {
            views.output(counts).put_all(&found.sizes);
            counts.reshape(&[found.sizes.len()]);
        }
    })))
    .map(|plan| plan.once(DECIDED))
}
