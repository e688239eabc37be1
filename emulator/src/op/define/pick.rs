//! Elements at positions that several tensors give together, as NumPy's advanced indexing.

use ascendcl_sys::ACL_BOOL;

use super::definitions;
use super::index::{Around, ONE, Way, merge_of, pairs};
use super::shape::Positions;
use crate::op::call::{Call, Input};
use crate::op::dtype::{REAL, Types, types};
use crate::op::moves::{Mover, NOWHERE};
use crate::op::number::{Number, Whole};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at};
use crate::op::shape::{Dims, MAX_RANK, broadcast};
use crate::op::tensor::Tensor;
use crate::op::view::Views;
use crate::results::list_of;

definitions! {
    aclnnIndex = index;
    aclnnIndexPutImpl = store;
}

/// The types of indices: positions, or a truth value for each position.
const INDICES: Types = types!(s32 s64 bool);

/// The indices of a call, and the dimensions that each of them stands for.
struct Indices {
    own: Vec<usize>,
    parts: Vec<(Input, core::ops::Range<usize>)>,
    /// The shape of the positions together; `None` if a truth tensor decides it.
    shape: Option<Dims>,
}

/// Checks the indices of a tensor. A null or empty index keeps its dimension.
fn indices(call: &Call, own: &Input) -> Result<Indices, Refusal> {
    let (mut parts, mut next) = (Vec::new(), 0);
    let mut shape = Some(Dims::default());
    for index in call.sparse_inputs("indices")? {
        let Some(index) = index.filter(|index| index.elements() > 0 || index.dtype() == ACL_BOOL)
        else {
            next += 1;
            continue;
        };
        let index = index.of(INDICES)?;
        let is_truth = index.dtype() == ACL_BOOL;
        let width = if is_truth { index.shape().len() } else { 1 };
        let Some(covered) = own.shape().get(next..next + width) else {
            return Err(Refusal::invalid(format_args!(
                "indices have more dimensions than {} {:?}",
                own.name,
                own.shape()
            )));
        };
        if is_truth && covered != index.shape() {
            return Err(Refusal::invalid(format_args!(
                "an index of truth values {:?} does not go with {} {:?}",
                index.shape(),
                own.name,
                own.shape()
            )));
        }
        shape = if is_truth {
            None
        } else {
            shape.and_then(|shape| broadcast(&shape, &index.tensor.shape))
        };
        if shape.is_none()
            && !is_truth
            && !parts
                .iter()
                .any(|(one, _): &(Input, _)| one.dtype() == ACL_BOOL)
        {
            return Err(Refusal::invalid(
                "indices do not go together by broadcasting",
            ));
        }
        parts.push((index, next..next + width));
        next += width;
    }
    if parts.is_empty() {
        return Err(Refusal::invalid("indices has no index"));
    }
    let own = own.shape().to_vec();
    let indices = Indices { own, parts, shape };
    let rank = shape.map_or(0, |shape| indices.result(&shape).len());
    if rank > MAX_RANK {
        return Err(Refusal::invalid(format_args!(
            "the indexed elements have {rank} dimensions; {MAX_RANK} is the limit"
        )));
    }
    Ok(indices)
}

impl Indices {
    /// Returns whether a dimension is indexed.
    fn covers(&self, dim: usize) -> bool {
        self.parts.iter().any(|(_, dims)| dims.contains(&dim))
    }

    /// Returns the number of dimensions in front of the positions: their place is that of the indices if those are
    /// neighbours, and the front otherwise.
    fn front(&self) -> usize {
        let covered = list_of((0..self.own.len()).filter(|dim| self.covers(*dim)));
        let are_neighbours = covered
            .windows(2)
            .all(|pair| at(pair, 0) + 1 == at(pair, 1));
        if are_neighbours { at(&covered, 0) } else { 0 }
    }

    /// Returns the shape of the indexed elements, if positions have the shape `shape`.
    fn result(&self, shape: &Dims) -> Vec<usize> {
        let kept = list_of((0..self.own.len()).filter(|dim| !self.covers(*dim)));
        let sizes = |dims: &[usize]| list_of(dims.iter().map(|dim| at(&self.own, *dim)));
        let (before, behind) = kept.split_at(self.front().min(kept.len()));
        [sizes(before), shape.as_slice().to_vec(), sizes(behind)].concat()
    }

    /// Returns the positions along each indexed dimension, and the shape to which they are broadcast. An index of truth values
    /// becomes the positions of the true ones, one list for each dimension.
    fn lists(&self, views: &Views<'_>) -> (Vec<(usize, Vec<Whole>, Dims)>, Dims) {
        let (mut lists, mut shape) = (Vec::new(), Dims::default());
        for (index, dims) in &self.parts {
            let values = views.input(index).all::<Whole>();
            if index.dtype() != ACL_BOOL {
                lists.push((dims.start, values, index.tensor.shape));
                shape = broadcast(&shape, &index.tensor.shape).unwrap_or(shape);
                continue;
            }
            let mut found = vec![Vec::new(); dims.len()];
            let mut values = values.iter();
            let mut positions = Positions::new(index.shape());
            while let Some(position) = positions.next() {
                if values.next().is_some_and(|value| value.is_true()) {
                    for (list, one) in found.iter_mut().zip(position) {
                        // CAST: a position is far below the limit.
                        list.push(Whole(*one as i64));
                    }
                }
            }
            for (dim, list) in dims.clone().zip(found) {
                let len = Dims::new([list.len()]).unwrap_or_default();
                shape = broadcast(&shape, &len).unwrap_or(shape);
                lists.push((dim, list, len));
            }
        }
        (lists, shape)
    }

    /// Returns the offsets of each position, in the tensor itself and in one whose shape is [`result`](Self::result) and whose
    /// strides are given, and the dimensions around. A position outside of the tensor is [`NOWHERE`].
    fn places(
        &self,
        views: &Views<'_>,
        own: &Tensor,
        other: Option<&Dims>,
    ) -> (Vec<[usize; 2]>, Around) {
        let (lists, shape) = self.lists(views);
        let (front, rank) = (self.front(), shape.rank());
        let nowhere = Dims::new(self.result(&shape))
            .unwrap_or_default()
            .repeated();
        let other = other.unwrap_or(&nowhere);
        let is_index = |at: usize| (front..front + rank).contains(&at);
        let (of_kept, of_index) = other.split(&is_index);
        let mut places = list_of(shape.offsets(of_index).map(|to| [0, to]));
        for (dim, values, list) in &lists {
            let (size, step) = (at(&self.own, *dim), at(own.strides.as_slice(), *dim));
            let offsets = shape.offsets(list.contiguous_strides().stretched(list, &shape));
            for ([place, _], offset) in places.iter_mut().zip(offsets) {
                let found = views.indexed(at(values, offset), size);
                *place = match found {
                    Some(found) if *place != NOWHERE => *place + found * step,
                    _ => NOWHERE,
                };
            }
        }
        let kept = |dims: &Dims| dims.filtered(&|dim| !self.covers(dim));
        let around = Around::new(front, &kept(&own.shape), [&kept(&own.strides), &of_kept]);
        (places, around)
    }

    /// Returns the offset of each indexed element in the tensor, or [`NOWHERE`].
    fn offsets(&self, views: &Views<'_>, own: &Tensor) -> Vec<usize> {
        let (places, around) = self.places(views, own, None);
        let (shape, strides) = around.behind();
        let mut offsets = Vec::new();
        for [start, _] in around.starts() {
            for [place, _] in &places {
                for one in shape.offsets(strides) {
                    offsets.push(match *place {
                        NOWHERE => NOWHERE,
                        place => start + place + one,
                    });
                }
            }
        }
        offsets
    }
}

/// Why these operators run once.
const COPIED: &str = "it copies numbers of the host to the device";

/// `aclnnIndex(self, indices, out)`
fn index(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(REAL)?;
    let out = call.output("out").like(&input)?;
    let indices = indices(call, &input)?;
    let out = match &indices.shape {
        Some(shape) => out.shaped(&indices.result(shape))?,
        None => out.shaped(out.shape())?,
    };
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let is_known = indices.shape.is_some();
    call.plan(move |views| {
        let mut mover = Mover::new(views, &input, &out);
        if is_known {
            let (places, around) = indices.places(views, &input.tensor, Some(&out.tensor.strides));
            return mover.blocks(&around.starts(), &places, &around.block);
        }
        // The shape of `out` need not be that of the elements.
        let to = out.tensor.shape.offsets(out.tensor.strides);
        let places = pairs(indices.offsets(views, &input.tensor).into_iter(), to);
        mover.blocks(&[[0; 2]], &places, &ONE);
    })
    .map(|plan| plan.once(COPIED))
}

/// `aclnnIndexPutImpl(selfRef, indices, values, accumulate, unsafe)`: for equal positions the last value stays, or all
/// are added.
fn store(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("selfRef").of(REAL)?;
    let values = call.input("values").like(&input)?;
    let out = call.output("selfRef").shaped(input.shape())?;
    let indices = indices(call, &input)?;
    let adds = call.flag("accumulate")?;
    if let Some(shape) = &indices.shape {
        let result = Dims::new(indices.result(shape)).unwrap_or_default();
        if broadcast(&result, &values.tensor.shape) != Some(result) {
            return Err(Refusal::invalid(format_args!(
                "values {:?} do not go to {result} by broadcasting",
                values.shape()
            )));
        }
    }
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    // A value is repeated as broadcasting does it, which is known for the shape of all positions.
    let shape = indices
        .shape
        .and_then(|shape| Dims::new(indices.result(&shape)));
    let merge = merge_of(input.dtype(), Way::Add);
    call.plan(move |views| {
        if let Some(shape) = shape.filter(|_| !adds) {
            let mut mover = Mover::new(views, &values, &out);
            let strides = values.tensor.strides_in(&shape);
            let (mut places, around) = indices.places(views, &out.tensor, Some(&strides));
            places.iter_mut().for_each(|pair| pair.swap(0, 1));
            let around = around.exchanged();
            return mover.blocks(&around.starts(), &places, &around.block);
        }
        let offsets = indices.offsets(views, &out.tensor);
        let (own, strides) = (values.tensor.shape, values.tensor.strides);
        let mut pairs = Vec::with_capacity(offsets.len());
        // Where truth values decide the positions, values that are too few begin again.
        let count = own.elements().unwrap_or(0).max(1);
        let mut sources = shape.map(|shape| shape.offsets(values.tensor.strides_in(&shape)));
        for (index, to) in offsets.iter().enumerate() {
            let from = match &mut sources {
                Some(sources) => sources.next(),
                None => own.offset(&strides, index % count),
            };
            pairs.push([*to, from.unwrap_or(0)]);
        }
        if adds {
            return merge(views, (&input, &values), &out, &|visit| visit(&pairs));
        }
        pairs.iter_mut().for_each(|pair| pair.swap(0, 1));
        Mover::new(views, &values, &out).blocks(&[[0; 2]], &pairs, &ONE);
    })
    .map(|plan| plan.once(COPIED))
}
