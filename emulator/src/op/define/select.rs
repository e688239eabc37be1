//! Operators that select elements.

use core::cmp::Ordering;

use super::along::in_numbers;
use super::definitions;
use super::index::ONE;
use super::shape::{Positions, with_size};
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{Kind, MOVABLE, NUMBERS, REAL, Types, kind, types};
use crate::op::keys::ordered_keys;
use crate::op::moves::Mover;
use crate::op::number::{CHUNK, Number, Whole};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, dimension, put};
use crate::op::shape::broadcast;
use crate::op::tensor::Tensor;
use crate::op::view::{View, Views};
use crate::results::list_of;
use crate::sorted::ordered;

definitions! {
    aclnnTopk = topk;
    aclnnSort = sort;
    aclnnArgsort = argsort;
    aclnnUnique2 = unique;
    aclnnNonzero = nonzero;
    aclnnMaskedSelect = masked;
}

/// `aclnnTopk(self, k, dim, largest, sorted, valuesOut, indicesOut)`: the `k` largest or smallest elements along a
/// dimension, in order, and their indices.
///
/// Among equal elements the first one is selected, and NaN is the largest number. CANN documents neither.
fn topk(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(NUMBERS)?;
    let values = call.output("valuesOut").like(&input)?;
    let indices = call.output("indicesOut").of(types!(s64))?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    let size = input.shape().get(dim).copied().unwrap_or(1);
    let k = call.whole("k")?;
    let Some(k) = Whole(k).below(size + 1) else {
        return Err(Refusal::invalid(format_args!(
            "k is {k}; along dim {dim} there are {size} elements"
        )));
    };
    if !call.flag("sorted")? {
        return Err(Refusal::invalid(
            "sorted is false; the elements come in order only",
        ));
    }
    let is_largest = call.flag("largest")?;
    Choice {
        input,
        values: Some(values),
        indices,
        dim,
        k,
        size,
        is_largest,
    }
    .plan(call)
}

/// `aclnnSort(self, stable, dim, descending, valuesOut, indicesOut)`: equal elements keep their order, also if `stable`
/// is false. NaN is the largest number.
fn sort(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(SORTED)?;
    let values = call.output("valuesOut").like(&input)?;
    sorted(call, input, Some(values), call.output("indicesOut")?)
}

/// `aclnnArgsort(self, dim, descending, out)`
fn argsort(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(SORTED)?;
    sorted(call, input, None, call.output("out")?)
}

/// The types that are sorted.
const SORTED: Types = types!(bf16 f16 f32 s8 s16 s32 s64 u8 bool);

fn sorted(
    call: &Call,
    input: Input,
    values: Option<Output>,
    indices: Output,
) -> Result<Plan, Refusal> {
    let indices = indices.of(types!(s64))?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    let size = input.shape().get(dim).copied().unwrap_or(1);
    let is_largest = call.flag("descending")?;
    Choice {
        input,
        values,
        indices,
        dim,
        k: size,
        size,
        is_largest,
    }
    .plan(call)
}

/// A selection.
struct Choice {
    input: Input,
    values: Option<Output>,
    indices: Output,
    dim: usize,
    k: usize,
    size: usize,
    is_largest: bool,
}

impl Choice {
    /// Checks the shapes of the outputs.
    fn plan(self, call: &Call) -> Result<Plan, Refusal> {
        let shape = with_size(self.input.shape(), self.dim, self.k);
        for out in self.values.iter().chain([&self.indices]) {
            let _ = out.shaped(&shape)?;
        }
        if self.indices.elements() == 0 {
            return Ok(call.nothing());
        }
        call.plan_boxed(
            in_numbers!(self.input.dtype(), W => Box::new(move |views| self.run(views, Self::best::<W>))),
        )
    }

    fn run(&self, views: &Views<'_>, best: Best) {
        let input = views.input(&self.input);
        // The values are moved afterwards, because their tensor may be the operand.
        let mut moves = Vec::new();
        let mut indices = views.output(&self.indices);
        let of_values = self
            .values
            .as_ref()
            .map_or(self.indices.tensor, |values| values.tensor);
        let (from, to_value, to_index) = (&self.input.tensor, &of_values, &self.indices.tensor);
        // The offsets of the other dimensions, and the step along this dimension.
        let shape = self.input.tensor.shape.filtered(&|index| index != self.dim);
        let offsets =
            |tensor: &Tensor| shape.offsets(tensor.strides.filtered(&|index| index != self.dim));
        let along = |tensor: &Tensor| at(tensor.strides.as_slice(), self.dim);
        let (step, value_step, index_step) = (along(from), along(to_value), along(to_index));
        let (from, to_value, to_index) = (offsets(from), offsets(to_value), offsets(to_index));
        for ((from, to_value), to_index) in from.zip(to_value).zip(to_index) {
            for (rank, index) in best(self, &input, from, step).into_iter().enumerate() {
                if self.values.is_some() {
                    moves.push([from + index * step, to_value + rank * value_step]);
                }
                // CAST: a size in memory fits.
                indices.put(to_index + rank * index_step, Whole(index as i64));
            }
        }
        if let Some(values) = &self.values {
            Mover::new(views, &self.input, values).blocks(&[[0; 2]], &moves, &ONE);
        }
    }
}

/// Returns the indices of the best elements of a row, which begins at an offset and has this step.
type Best = fn(&Choice, &View<'_>, usize, usize) -> Vec<usize>;

impl Choice {
    /// Returns the indices of the best elements of a row, the best one first. At most `2 * k + CHUNK` elements
    /// are kept at once: a view that repeats elements may be larger than memory.
    fn best<W: Number>(&self, input: &View<'_>, start: usize, step: usize) -> Vec<usize> {
        let most = self.k.saturating_mul(2).saturating_add(CHUNK);
        let mut best: Vec<(W, usize)> = Vec::new();
        let is_few = self.k <= FEW;
        let choose = |best: &mut Vec<(W, usize)>| {
            // Equal elements stay in order.
            let found = best.as_slice();
            let order = ordered(found.len(), &|one, other| {
                let order = compare(at(found, one).0, at(found, other).0);
                if self.is_largest {
                    order.reverse()
                } else {
                    order
                }
            });
            *best = order
                .iter()
                .take(self.k)
                .map(|one| at(found, *one))
                .collect();
        };
        // The last one of as many as are wanted. What is not better than it is not selected.
        let mut limit = None;
        let mut room = [W::ZERO; ROOM];
        for first in (0..self.size).step_by(ROOM) {
            let len = ROOM.min(self.size - first);
            let Some(room) = room.get_mut(..len) else {
                continue;
            };
            input.read(start + first * step, step, room);
            for (element, index) in room.iter().zip(first..) {
                let is_worse = limit.is_some_and(|limit| match self.is_largest {
                    true => *element <= limit,
                    false => *element >= limit,
                });
                if is_worse {
                    continue;
                }
                if is_few {
                    best.push((*element, index));
                    for place in (1..best.len()).rev() {
                        let order = compare(at(&best, place - 1).0, *element);
                        let is_before = match self.is_largest {
                            true => order.is_ge(),
                            false => order.is_le(),
                        };
                        if is_before {
                            break;
                        }
                        best.swap(place - 1, place);
                    }
                    best.truncate(self.k);
                    if best.len() == self.k {
                        limit = best.last().map(|last| last.0);
                    }
                    continue;
                }
                best.push((*element, index));
                if best.len() >= most {
                    choose(&mut best);
                    limit = best.last().map(|last| last.0);
                }
            }
        }
        if !is_few {
            choose(&mut best);
        }
        list_of(best.iter().map(|one| one.1))
    }
}

/// The number of elements up to which each better one moves to its place among the best. More of them are sorted together.
const FEW: usize = 64;

/// The number of elements that are read at a time.
const ROOM: usize = 512;

/// Compares two numbers; NaN is the largest.
pub(super) fn compare<W: Number>(one: W, other: W) -> Ordering {
    let by_nan = || one.is_nan().cmp(&other.is_nan());
    one.partial_cmp(&other).unwrap_or_else(by_nan)
}

/// Why operators whose outputs have the size that the data decide run once: the kernel gives the shape.
pub(super) const DECIDED: &str = "the data decide the size of its output";

/// `aclnnNonzero(self, out)`, with a row for each element, and `aclnnNonzeroV2(self, out)`, with a column: their number is known
/// only after the operator has run. Then the shape of `out` changes.
pub(super) fn nonzero(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(REAL)?;
    let out = call.output("out").of(types!(s64))?;
    let rank = input.shape().len();
    let is_turned = call.operator().ends_with("V2");
    let (rows, columns) = match (out.shape(), is_turned) {
        ([rows, columns], false) | ([columns, rows], true) => (rows, columns),
        _ => {
            return Err(Refusal::invalid(format_args!(
                "out has the shape {:?}; it has two dimensions",
                out.shape()
            )));
        }
    };
    if *columns != rank || *rows < input.elements() || !out.tensor.is_contiguous() {
        return Err(Refusal::invalid(format_args!(
            "out {:?} has no contiguous rows of {rank} numbers for {} elements",
            out.shape(),
            input.elements()
        )));
    }
    call.plan(move |views| {
        let elements = views.input(&input).all::<f64>();
        let (mut found, mut places) = (elements.iter(), Vec::new());
        let mut count = 0;
        let mut positions = Positions::new(input.shape());
        while let Some(position) = positions.next() {
            if found.next().is_some_and(|one| *one != 0.0) {
                // CAST: a position is far below the limit.
                places.extend(position.iter().map(|one| Whole(*one as i64)));
                count += 1;
            }
        }
        if is_turned {
            let mut turned = Vec::with_capacity(places.len());
            for column in 0..rank {
                turned.extend(places.iter().skip(column).step_by(rank));
            }
            places = turned;
        }
        views.output(&out).put_all(&places);
        out.reshape(&if is_turned {
            [rank, count]
        } else {
            [count, rank]
        });
    })
    .map(|plan| plan.once(DECIDED))
}

/// `aclnnMaskedSelect(self, mask, out)`: the length is known only after the operator has run. Then the shape of `out`
/// changes.
fn masked(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(REAL)?;
    let mask = call.input("mask").of(types!(u8 bool))?;
    let out = call.output("out").like(&input)?;
    let shape = broadcast(&input.tensor.shape, &mask.tensor.shape).ok_or_else(|| {
        Refusal::invalid(format_args!(
            "self {:?} and mask {:?} do not go together by broadcasting",
            input.shape(),
            mask.shape()
        ))
    })?;
    let out = out.shaped(&[shape.elements().unwrap_or(0)])?;
    if !out.tensor.is_contiguous() {
        return Err(Refusal::invalid("out is not contiguous"));
    }
    call.plan(move |views| {
        let (from, chosen) = (views.input(&input), views.input(&mask));
        let offsets = shape.offsets(input.tensor.strides_in(&shape));
        // Each place is stored, and stays if it is chosen: no branch has to be guessed.
        let (mut places, mut count) = (vec![0; shape.elements().unwrap_or(0)], 0);
        for (place, mask) in offsets.zip(chosen.spread::<f32>(&shape)) {
            put(&mut places, count, place);
            count += usize::from(mask.is_true());
        }
        places.truncate(count);
        let bits = list_of(places.iter().map(|place| from.bits(*place)));
        views.output(&out).put_all_bits(&bits);
        out.reshape(&[count]);
    })
    .map(|plan| plan.once(DECIDED))
}

/// `aclnnUnique2(self, sorted, returnInverse, returnCounts, valueOut, inverseOut, countsOut)`: the different elements in
/// order, also if `sorted` is false. `aclnnUnique` has no counts. `aclnnUniqueConsecutive` has a dimension, and compares
/// neighbours only. Their number is known only after the operator has run. Then the shapes of
/// `valueOut` and `countsOut` change.
pub(super) fn unique(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(MOVABLE)?;
    let values = call
        .output("valueOut")
        .like(&input)
        .shaped(&[input.elements()])?;
    let inverse = call.output("inverseOut").of(types!(s64))?;
    let is_in_place = call.has("dim");
    if is_in_place && call.whole("dim")? != NO_DIM && input.shape().len() != 1 {
        return Err(Refusal::invalid(format_args!(
            "dim is {}, which the emulator models for vectors; {NO_DIM} stands for none",
            call.whole("dim")?
        )));
    }
    let inverse = if call.flag("returnInverse")? {
        Some(inverse.shaped(input.shape())?)
    } else {
        None
    };
    let counts = if call.has("returnCounts") && call.flag("returnCounts")? {
        let counts = call.output("countsOut").of(types!(s64));
        Some(counts.shaped(&[input.elements()])?)
    } else {
        None
    };
    let store = move |views: &Views<'_>, found: &Groups| {
        values.reshape(&[found.firsts.len()]);
        if let Some(inverse) = &inverse {
            views.output(inverse).put_all(&found.places);
        }
        if let Some(counts) = &counts {
            views.output(counts).put_all(&found.sizes);
            counts.reshape(&[found.sizes.len()]);
        }
    };
    call.plan_boxed(in_numbers!(input.dtype(), W => Box::new(move |views| {
        let elements = views.input(&input).all::<W>();
        let of = |index| at(&elements, index);
        let order = match is_in_place {
            true => Vec::from_iter(0..elements.len()),
            false => ordered_keys(&list_of(elements.iter().map(|one| one.key()))),
        };
        let found = Groups::new(order, &|one, other| of(one) == of(other));
        let unique = list_of(found.firsts.iter().map(|first| of(*first)));
        views.output(&values).put_all(&unique);
        store(views, &found);
    })))
    .map(|plan| plan.once(DECIDED))
}

/// The dimension that stands for none (`NoneN` of the published source).
pub(super) const NO_DIM: i64 = 1000;

/// Elements that are equal, in their order.
pub(super) struct Groups {
    /// The index of the first element of each group.
    pub(super) firsts: Vec<usize>,
    /// The number of elements of each group.
    pub(super) sizes: Vec<Whole>,
    /// The group of each element.
    pub(super) places: Vec<Whole>,
}

impl Groups {
    /// Makes the groups of elements whose indices are in order.
    pub(super) fn new(order: Vec<usize>, is_equal: &dyn Fn(usize, usize) -> bool) -> Self {
        let (mut firsts, mut sizes) = (Vec::new(), Vec::new());
        let mut places = vec![Whole(0); order.len()];
        for index in order {
            if firsts.last().is_none_or(|first| !is_equal(*first, index)) {
                firsts.push(index);
                sizes.push(Whole(0));
            }
            if let Some(size) = sizes.last_mut() {
                *size = *size + Whole(1);
            }
            if let Some(place) = places.get_mut(index) {
                // CAST: an index is far below the limit.
                *place = Whole(firsts.len() as i64 - 1);
            }
        }
        Self {
            firsts,
            sizes,
            places,
        }
    }
}
