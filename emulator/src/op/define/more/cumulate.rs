//! Operators that join each element with those before it.

use super::super::along::in_numbers;
use crate::op::call::{Call, Input, Output};
use crate::op::define::definitions;
use crate::op::dtype::{Kind, NUMBERS, REAL, SINGLE, Types, kind, types};
use crate::op::number::{Number, Whole};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, Split, at, dimension, put, same_type};
use crate::op::view::{Views, rows};

definitions! {
    aclnnCumprod = products;
    aclnnInplaceCumprod = products;
    aclnnCumsumV2 = sums;
    aclnnCummax = |call: &Call| extremes(call, Way::Largest);
    aclnnCummin = |call: &Call| extremes(call, Way::Smallest);
}

/// The types whose products are computed.
const FACTORS: Types = types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8 u16 u32 u64);

/// The way to join two elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Sum,
    Product,
    Largest,
    Smallest,
}

/// A checked operator.
#[derive(Debug, Clone, Copy)]
struct Row {
    input: Input,
    out: Output,
    places: Option<Output>,
    dim: usize,
    way: Way,
    /// Whether a result leaves out its own element.
    is_exclusive: bool,
    is_reverse: bool,
}

/// `aclnnCumprod(input, dim, dtype, out)` and `aclnnInplaceCumprod(input, dim)`
fn products(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("input").of(FACTORS)?;
    let out = if call.has("dtype") {
        let out = call.output("out").of(FACTORS)?;
        same_type(call.dtype("dtype")?, FACTORS, &out)?;
        out.cast_from(input.dtype())?
    } else {
        call.output("input")?
    };
    let dim = call.scalar("dim")?.to_whole().0;
    planned(call, (input, out, None), dim, Way::Product, [false; 2])
}

/// `aclnnCumsumV2(self, dim, exclusive, reverse, out)`
fn sums(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(NUMBERS)?;
    let out = call.output("out").of(NUMBERS)?.cast_from(input.dtype())?;
    let ways = [call.flag("exclusive")?, call.flag("reverse")?];
    planned(call, (input, out, None), call.whole("dim")?, Way::Sum, ways)
}

/// `aclnnCummax(self, dim, valuesOut, indicesOut)` and `aclnnCummin(self, dim, valuesOut, indicesOut)`: the last one of equal
/// elements, as PyTorch has it.
fn extremes(call: &Call, way: Way) -> Result<Plan, Refusal> {
    let input = call.input("self").of(REAL)?;
    let out = call
        .output("valuesOut")
        .of(REAL)?
        .cast_from(input.dtype())?;
    let places = call.output("indicesOut").of(types!(s32 s64));
    let places = places.shaped(input.shape())?;
    let tensors = (input, out, Some(places));
    planned(call, tensors, call.whole("dim")?, way, [false; 2])
}

fn planned(
    call: &Call,
    (input, out, places): (Input, Output, Option<Output>),
    dim: i64,
    way: Way,
    [is_exclusive, is_reverse]: [bool; 2],
) -> Result<Plan, Refusal> {
    let dim = dimension("dim", dim, input.shape().len())?;
    let row = Row {
        input,
        out: out.shaped(input.shape())?,
        places,
        dim,
        way,
        is_exclusive,
        is_reverse,
    };
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let is_extreme = matches!(way, Way::Largest | Way::Smallest);
    if is_extreme && SINGLE.contains(&row.input.dtype()) && SINGLE.contains(&out.dtype()) {
        // A choice rounds nothing.
        return call.plan_boxed(Box::new(move |views| row.run::<f32>(views)));
    }
    call.plan_boxed(in_numbers!(out.dtype(), W => Box::new(move |views| row.run::<W>(views))))
}

impl Row {
    fn run<W: Number>(&self, views: &Views<'_>) {
        let split = Split::new(self.input.shape(), self.dim);
        let is_apart = views.is_apart(self.out.slot, &[self.input.slot])
            && (self.places.iter()).all(|out| views.is_alone(out.slot, &[self.input.slot]));
        let mut to = views.output(&self.out);
        let mut to_places = self.places.as_ref().map(|out| views.output(out));
        if split.inner == 1 && is_apart {
            let from = views.input(&self.input);
            let (starts, (count, step)) =
                rows(&self.input.tensor.shape, &self.input.tensor.strides);
            let (targets, (_, out_step)) = rows(&self.out.tensor.shape, &self.out.tensor.strides);
            let of_places = &self.places.as_ref().unwrap_or(&self.out).tensor;
            let (others, (_, place_step)) = rows(&of_places.shape, &of_places.strides);
            let (mut row, mut places) = (vec![W::ZERO; count], vec![Whole(0); count]);
            for ((start, target), other) in starts.zip(targets).zip(others) {
                from.read(start, step, &mut row);
                self.join(&mut row, &mut places);
                to.write(target, out_step, &row);
                if let Some(to) = &mut to_places {
                    to.write(other, place_step, &places);
                }
            }
            return;
        }
        let mut elements = views.input(&self.input).all::<W>();
        let mut places = vec![Whole(0); elements.len()];
        let (mut row, mut found) = (vec![W::ZERO; split.size], vec![Whole(0); split.size]);
        for start in split.rows() {
            let along = |index: usize| start + index * split.inner;
            for (index, one) in row.iter_mut().enumerate() {
                *one = at(&elements, along(index));
            }
            self.join(&mut row, &mut found);
            for (index, (one, place)) in row.iter().zip(&found).enumerate() {
                put(&mut elements, along(index), *one);
                put(&mut places, along(index), *place);
            }
        }
        to.put_all(&elements);
        if let Some(to) = &mut to_places {
            to.put_all(&places);
        }
    }

    /// Joins each element of a row with those before it, and stores the places of the largest or smallest ones.
    fn join<W: Number>(&self, row: &mut [W], places: &mut [Whole]) {
        W::quantise(self.out.dtype(), row);
        match self.way {
            Way::Sum => self.fold(row, |one, other| one + other),
            Way::Product => self.fold(row, |one, other| one * other),
            Way::Largest => choose(row, places, |one, before| one >= before),
            Way::Smallest => choose(row, places, |one, before| one <= before),
        }
    }

    fn fold<W: Number>(&self, row: &mut [W], join: impl Fn(W, W) -> W) {
        if self.is_reverse {
            row.reverse();
        }
        let mut joined: Option<W> = None;
        for one in row.iter_mut() {
            let next = joined.map_or(*one, |before| join(before, *one));
            *one = match self.is_exclusive {
                true => joined.unwrap_or(W::ZERO),
                false => next,
            };
            joined = Some(next);
        }
        if self.is_reverse {
            row.reverse();
        }
    }
}

/// Replaces each element by the best one up to it, the last one of equal ones, and stores its place. NaN is the best.
fn choose<W: Number>(row: &mut [W], places: &mut [Whole], is_better: impl Fn(W, W) -> bool) {
    let Some(first) = row.first() else {
        return;
    };
    let mut best = (*first, 0);
    for (index, (one, place)) in (0..).zip(row.iter_mut().zip(places)) {
        let is_next = is_better(*one, best.0) | one.is_nan();
        best = if is_next { (*one, index) } else { best };
        (*one, *place) = (best.0, Whole(best.1));
    }
}
