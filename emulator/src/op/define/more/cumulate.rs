//! Operators that join each element with those before it.

use super::super::along::in_numbers;
use crate::op::call::{Call, Input, Output};
use crate::op::define::definitions;
use crate::op::dtype::{Kind, NUMBERS, REAL, Types, kind, types};
use crate::op::number::{Number, Whole};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, Split, at, dimension, put, same_type};
use crate::op::view::Views;

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
    call.plan_boxed(in_numbers!(out.dtype(), W => Box::new(move |views| row.run::<W>(views))))
}

impl Row {
    fn run<W: Number>(&self, views: &Views<'_>) {
        let mut elements = views.input(&self.input).all::<W>();
        W::quantise(self.out.dtype(), &mut elements);
        let split = Split::new(self.input.shape(), self.dim);
        let mut places = vec![Whole(0); elements.len()];
        for row in split.rows() {
            let mut found: Option<(W, usize)> = None;
            for step in 0..split.size {
                let index = match self.is_reverse {
                    true => split.size - 1 - step,
                    false => step,
                };
                let place = row + index * split.inner;
                let one = at(&elements, place);
                let next = match found {
                    None => (one, index),
                    Some((before, _)) if self.way == Way::Sum => (before + one, index),
                    Some((before, _)) if self.way == Way::Product => (before * one, index),
                    Some((before, _)) if before.is_nan() && !one.is_nan() => {
                        found.unwrap_or((one, index))
                    }
                    Some((before, _)) => {
                        let is_behind = match self.way {
                            Way::Largest => one < before,
                            _ => one > before,
                        };
                        if is_behind {
                            found.unwrap_or((one, index))
                        } else {
                            (one, index)
                        }
                    }
                };
                let result = if self.is_exclusive {
                    found.unwrap_or((W::ZERO, 0))
                } else {
                    next
                };
                put(&mut elements, place, result.0);
                // CAST: an index is far below the limit.
                put(&mut places, place, Whole(result.1 as i64));
                found = Some(next);
            }
        }
        views.output(&self.out).put_all(&elements);
        if let Some(out) = &self.places {
            views.output(out).put_all(&places);
        }
    }
}
