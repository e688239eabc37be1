//! Operators that fill tensors.

use super::definitions;
use super::index::ONE;
use crate::op::by_formula::formula;
use crate::op::call::Call;
use crate::op::dtype::{Kind, MOVABLE, REAL, Types, kind, types};
use crate::op::moves::{Mover, Part};
use crate::op::number::Whole;
use crate::op::plan::{Definition, Plan};
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count, dimension};
use crate::op::scalar::Scalar;
use crate::op::shape::Loop;

definitions! {
    aclnnInplaceZero = formula!(|_x| "0").same(FILLED).overwriting();
    aclnnInplaceOne = formula!(|_x| "1").same(FILLED).overwriting();
    aclnnInplaceFillScalar = formula!(|_x, value| "value").same(MOVABLE).overwriting();
    aclnnInplaceFillTensor = fill;
    aclnnArange = range;
    aclnnRange = range;
    aclnnEye = identity;
    aclnnOneHot = one_hot;
}

/// The types of zeros and ones.
const FILLED: Types = types!(bf16 f16 f32 f64 s8 s16 s32 s64 u8 u16 bool);

/// `aclnnInplaceFillTensor(selfRef, value)`: `value` has one element.
fn fill(call: &Call) -> Result<Plan, Refusal> {
    let value = call.input("value")?;
    if value.elements() != 1 {
        return Err(Refusal::invalid(format_args!(
            "value has the shape {:?}; it has one element",
            value.shape()
        )));
    }
    formula!(|_x, value| "value")
        .converted(types!(bf16 f16 f32 s8 s16 s32 s64 u8 u16 u32 u64 bool))
        .overwriting()
        .plan(call)
}

/// The types of the results of ranges.
const RANGES: Types = types!(bf16 f16 f32 f64 s32 s64);

/// The number of numbers that are stored at a time.
const ROOM: usize = 512;

/// `aclnnArange(start, end, step, out)` and `aclnnRange(start, end, step, out)`: as many numbers as `out` has elements.
/// CANN does not compare the length of `out` with the range either.
fn range(call: &Call) -> Result<Plan, Refusal> {
    let (start, end, step) = (
        call.scalar("start")?,
        call.scalar("end")?,
        call.scalar("step")?,
    );
    let out = call.output("out").of(RANGES)?;
    for (name, scalar) in [("start", start), ("end", end), ("step", step)] {
        if !REAL.contains(&scalar.dtype()) {
            return Err(Refusal::unsupported(name, scalar.dtype(), REAL));
        }
    }
    let is_whole = kind(out.dtype()) == Some(Kind::Whole);
    let value = |scalar: Scalar| {
        // CAST: only its sign counts.
        if is_whole {
            scalar.to_whole().0 as f64
        } else {
            scalar.to_f64()
        }
    };
    let (first, last, distance) = (value(start), value(end), value(step));
    if distance == 0.0 || (last - first) * distance < 0.0 {
        return Err(Refusal::invalid(format_args!(
            "no steps of {distance} lead from {first} to {last}"
        )));
    }
    let out = out.shaped(out.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut view = views.output(&out);
        let count = out.elements();
        // CAST: an index is exact.
        if is_whole {
            let mut numbers = Vec::with_capacity(count);
            for index in 0..count {
                numbers.push(start.to_whole() + Whole(index as i64) * step.to_whole());
            }
            view.put_all(&numbers);
        } else {
            let (start, step) = (start.to_f64(), step.to_f64());
            let is_plain = out.tensor.is_contiguous();
            let mut room = [0.0; ROOM];
            // Numbers that stay in the first-level cache are stored at a time.
            for first in (0..count).step_by(ROOM) {
                let part = room.get_mut(..ROOM.min(count - first)).unwrap_or_default();
                // Small whole numbers are converted by vectors.
                for (index, number) in (0_i32..).zip(&mut *part) {
                    *number = start + (first as f64 + f64::from(index)) * step;
                }
                if !is_plain {
                    for (index, number) in (first..).zip(&*part) {
                        view.set(index, *number);
                    }
                }
                if is_plain {
                    view.write(first, 1, part);
                }
            }
        }
    })
}

/// `aclnnEye(n, m, out)`
fn identity(call: &Call) -> Result<Plan, Refusal> {
    let out = call
        .output("out")
        .of(types!(bf16 f16 f32 s8 s16 s32 s64 u8 bool))?;
    let (rows, columns) = (count("n", call.whole("n")?)?, count("m", call.whole("m")?)?);
    let out = out.shaped(&[rows, columns])?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let diagonal = out.tensor.strides.iter().sum();
        let ones = Part::new(&[Loop::new(rows.min(columns), 0, diagonal)], 0, 0);
        Mover::of_bits(views, 0, &out).part(&Part::filled(&out));
        Mover::of_bits(views, Scalar::whole(1).bits(out.dtype()), &out).part(&ones);
    })
}

/// `aclnnOneHot(self, numClasses, onValue, offValue, axis, out)`
fn one_hot(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(types!(s32 s64 u8))?;
    let types = types!(f16 f32 s8 s32 s64 u8);
    let out = call.output("out").of(types)?;
    let number = |name| {
        let value = call.input(name).of(types)?;
        let _ = out.like(&value)?;
        if value.elements() == 0 {
            return Err(Refusal::invalid(format_args!("{name} has no elements")));
        }
        Ok(value)
    };
    let (on, off) = (number("onValue")?, number("offValue")?);
    let input = input.ranked(1..=7)?;
    let classes = count("numClasses", call.whole("numClasses")?)?;
    if classes == 0 && input.elements() == 0 {
        return Err(Refusal::invalid(
            "numClasses is 0, and self has no elements",
        ));
    }
    let axis = dimension("axis", call.whole("axis")?, input.shape().len() + 1)?;
    let mut shape = input.shape().to_vec();
    shape.insert(axis, classes);
    let out = out.shaped(&shape)?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let indices = views.input(&input).all::<Whole>();
        let first = |input| at(&views.input(input).all_bits(), 0);
        let (on, off) = (first(&on), first(&off));
        let step = at(out.tensor.strides.as_slice(), axis);
        let own = out.tensor.strides.filtered(&|index| index != axis);
        let starts = input.tensor.shape.offsets(own);
        let mut places = Vec::with_capacity(indices.len());
        for (index, start) in indices.iter().zip(starts) {
            if let Some(class) = index.below(classes) {
                places.push([0, start + class * step]);
            }
        }
        Mover::of_bits(views, off, &out).part(&Part::filled(&out));
        Mover::of_bits(views, on, &out).blocks(&[[0; 2]], &places, &ONE);
    })
}
