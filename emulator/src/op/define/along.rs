//! Operators that go along one dimension, row by row.

use super::definitions;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{Kind, NUMBERS, SINGLE, Types, kind, types};
use crate::op::normal::{self, gated};
use crate::op::number::{Number, Whole};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, Split, at, dimension, same_type};
use crate::op::sums::{maximum, minimum, product};
use crate::op::view::{Views, rows};

definitions! {
    aclnnCumsum = sums;
    aclnnArgMax = |call: &Call| place(call, true);
    aclnnArgMin = |call: &Call| place(call, false);
    aclnnMaxDim = |call: &Call| extreme(call, true, types!(s32 s64));
    aclnnMinDim = |call: &Call| extreme(call, false, types!(s32 s64));
    aclnnSwiGlu = swiglu;
    aclnnGeGluV3 = geglu;
    aclnnDot = dot;
}

/// Returns the type of numbers that a kernel on elements of a data type computes in, and runs it.
macro_rules! in_numbers {
    ($dtype:expr, $W:ident => $run:expr) => {
        if kind($dtype) == Some(Kind::Floating) {
            type $W = f64;
            $run
        } else {
            type $W = Whole;
            $run
        }
    };
}
pub(super) use in_numbers;

/// `aclnnCumsum(self, dim, dtype, out)`: the sums of the elements up to each one. `dtype` is the type of `out`.
fn sums(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = (
        call.input("self").of(NUMBERS)?,
        call.output("out").of(NUMBERS)?,
    );
    let dtype = call.dtype("dtype")?;
    same_type(dtype, NUMBERS, &out)?;
    let out = out.cast_from(input.dtype())?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    let out = out.shaped(input.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan_boxed(
        in_numbers!(dtype, W => Box::new(move |views| cumulate::<W>(views, &input, &out, dim))),
    )
}

fn cumulate<W: Number>(views: &Views<'_>, input: &Input, out: &Output, dim: usize) {
    let is_last = dim + 1 == input.shape().len();
    if is_last && views.is_apart(out.slot, &[input.slot]) {
        let (from, mut to) = (views.input(input), views.output(out));
        let (starts, (count, step)) = rows(&input.tensor.shape, &input.tensor.strides);
        let (places, (_, out_step)) = rows(&out.tensor.shape, &out.tensor.strides);
        let mut row = vec![W::ZERO; count];
        for (start, place) in starts.zip(places) {
            from.read(start, step, &mut row);
            W::quantise(out.dtype(), &mut row);
            let mut sum = W::ZERO;
            for one in &mut row {
                sum = sum + *one;
                *one = sum;
            }
            to.write(place, out_step, &row);
        }
        return;
    }
    let mut elements = views.input(input).all::<W>();
    W::quantise(out.dtype(), &mut elements);
    let split = Split::new(input.shape(), dim);
    // A row of sums at a time, from the one before it: elements that follow each other are read together.
    for block in elements.chunks_mut((split.size * split.inner).max(1)) {
        let mut rows = block.chunks_mut(split.inner.max(1));
        let mut before = rows.next().unwrap_or_default();
        for one in &mut *before {
            *one = W::ZERO + *one;
        }
        for row in rows {
            for (one, before) in row.iter_mut().zip(&*before) {
                *one = *before + *one;
            }
            before = row;
        }
    }
    views.output(out).put_all(&elements);
}

/// Returns the shape without a dimension, or with size 1 there.
fn without(shape: &[usize], dim: usize, keeps: bool) -> Vec<usize> {
    let sizes = shape.iter().enumerate();
    let sizes = sizes.filter_map(|(index, size)| {
        if index == dim {
            keeps.then_some(1)
        } else {
            Some(*size)
        }
    });
    sizes.collect()
}

/// `aclnnArgMax(self, dim, keepdim, out)` and `aclnnArgMin(self, dim, keepdim, out)`: the first one among equals. NaN
/// is larger and smaller than any number. CANN documents neither.
fn place(call: &Call, is_largest: bool) -> Result<Plan, Refusal> {
    let (input, out) = (
        call.input("self").of(NUMBERS)?,
        call.output("out").of(types!(s32 s64))?,
    );
    let shape = shape_of(call, &input)?;
    let out = if is_largest {
        out.shaped_or_one(&shape)?
    } else {
        out
    };
    best(call, is_largest, input, None, out)
}

/// Returns the shape of the results that `best` finds.
fn shape_of(call: &Call, input: &Input) -> Result<Vec<usize>, Refusal> {
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    Ok(without(input.shape(), dim, call.flag("keepdim")?))
}

/// `aclnnMaxDim(self, dim, keepdim, out, indices)` and `aclnnMinDim(self, dim, keepdim, out, indices)`
fn extreme(call: &Call, is_largest: bool, indices: Types) -> Result<Plan, Refusal> {
    let input = call.input("self").of(types!(bf16 f16 f32 s64 bool))?;
    let out = call
        .output("out")
        .of(types!(bf16 f16 f32 s64 bool))
        .like(&input)?;
    let indices = call.output("indices").of(indices)?;
    best(call, is_largest, input, Some(out), indices)
}

/// Finds the best element of each row, and its place.
fn best(
    call: &Call,
    is_largest: bool,
    input: Input,
    values: Option<Output>,
    places: Output,
) -> Result<Plan, Refusal> {
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    let shape = shape_of(call, &input)?;
    let values = values.map(|values| values.shaped(&shape)).transpose()?;
    let places = places.shaped(&shape)?;
    if places.elements() == 0 {
        return Ok(call.nothing());
    }
    if input.elements() == 0 {
        return Err(Refusal::invalid(format_args!(
            "self {:?} has no elements along dim {dim}",
            input.shape()
        )));
    }
    if SINGLE.contains(&input.dtype()) && dim + 1 == input.shape().len() {
        return call.plan(move |views| {
            let view = views.input(&input);
            let (starts, (count, step)) = rows(&input.tensor.shape, &input.tensor.strides);
            let (mut row, mut best, mut found) = (vec![0.0; count], Vec::new(), Vec::new());
            for start in starts {
                view.read(start, step, &mut row);
                let most = if is_largest {
                    maximum(&row)
                } else {
                    minimum(&row)
                };
                let is_best = |one: &f32| *one == most || one.is_nan();
                let index = row.iter().position(is_best).unwrap_or(0);
                best.push(at(&row, index));
                // CAST: an index is far below the limit.
                found.push(Whole(index as i64));
            }
            if let Some(values) = &values {
                views.output(values).put_all(&best);
            }
            views.output(&places).put_all(&found);
        });
    }
    call.plan_boxed(in_numbers!(input.dtype(), W => Box::new(move |views| {
        let elements = views.input(&input).all::<W>();
        let split = Split::new(input.shape(), dim);
        let found: Vec<_> = split.rows().map(|row| best_of::<W>(&elements, row, split, is_largest)).collect();
        let (best, place): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        if let Some(values) = &values {
            views.output(values).put_all(&best);
        }
        views.output(&places).put_all(&place);
    })))
}

fn best_of<W: Number>(elements: &[W], row: usize, split: Split, is_largest: bool) -> (W, Whole) {
    let mut best = (at(elements, row), 0);
    for index in 1..split.size {
        let one = at(elements, row + index * split.inner);
        let is_better = if is_largest {
            one > best.0
        } else {
            one < best.0
        };
        if !best.0.is_nan() && (is_better || one.is_nan()) {
            best = (one, index);
        }
    }
    // CAST: an index is far below the limit.
    (best.0, Whole(best.1 as i64))
}

/// Returns the two halves of each position along a dimension, after the checks that both operators make.
pub(super) fn halves(call: &Call, input: &Input) -> Result<(usize, Vec<usize>), Refusal> {
    halves_along(input, call.whole("dim")?)
}

pub(super) fn halves_along(input: &Input, dim: i64) -> Result<(usize, Vec<usize>), Refusal> {
    let dim = dimension("dim", dim, input.shape().len())?;
    let mut shape = input.shape().to_vec();
    match shape.get_mut(dim) {
        Some(size) if size.is_multiple_of(2) => *size /= 2,
        _ => {
            return Err(Refusal::invalid(format_args!(
                "{} {:?} has no two halves along dim {dim}",
                input.name,
                input.shape()
            )));
        }
    }
    Ok((dim, shape))
}

/// `aclnnSwiGlu(x, dim, out)`
fn swiglu(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE)?;
    let out = call.output("out").of(SINGLE).like(&input)?;
    let (dim, shape) = halves(call, &input)?;
    let out = out.shaped(&shape)?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let view = views.input(&input);
        // SAFETY: the kernel writes the output below, after the last use of these elements.
        let elements = unsafe { view.numbers() };
        let split = Split::new(input.shape(), dim);
        let half = split.size / 2 * split.inner;
        let mut results = vec![0.0; out.elements()];
        let rows = elements
            .chunks((2 * half).max(1))
            .zip(results.chunks_mut(half.max(1)));
        for (row, results) in rows {
            let (gates, others) = row.split_at_checked(half).unwrap_or_default();
            gated(results, gates, others);
        }
        views.output(&out).put_all(&results);
    })
}

/// `aclnnGeGluV3(self, dim, approximate, activateLeft, out, outGelu)`, and `aclnnGeGlu` without `activateLeft`
pub(super) fn geglu(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(SINGLE)?;
    let outs = [
        call.output("out").like(&input)?,
        call.output("outGelu").like(&input)?,
    ];
    let (dim, shape) = halves(call, &input)?;
    let is_tanh = match call.whole("approximate")? {
        0 => false,
        1 => true,
        other => {
            return Err(Refusal::invalid(format_args!(
                "approximate is {other}; it is 0 or 1"
            )));
        }
    };
    let is_left = call.has("activateLeft") && call.flag("activateLeft")?;
    let [out, activated] = outs;
    let (out, activated) = (out.shaped(&shape)?, activated.shaped(&shape)?);
    let gelus = move |to: &mut [f32], from: &[f32]| normal::gelus(to, from, is_tanh);
    gates(call, input, (out, Some(activated)), dim, is_left, gelus)
}

/// Plans to multiply one half of a dimension by a function of the other one, and to store the function too.
pub(super) fn gates<W: Number>(
    call: &Call,
    input: Input,
    (out, activated): (Output, Option<Output>),
    dim: usize,
    is_left: bool,
    gate: impl Fn(&mut [W], &[W]) + Send + Sync + 'static,
) -> Result<Plan, Refusal> {
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let view = views.input(&input);
        // SAFETY: the kernel writes the outputs below, after the last use of these elements.
        let elements = unsafe { view.numbers::<W>() };
        let split = Split::new(input.shape(), dim);
        let half = (split.size / 2 * split.inner).max(1);
        let mut gates = vec![W::ZERO; out.elements()];
        let mut results = Vec::with_capacity(out.elements());
        for (row, gates) in elements.chunks(2 * half).zip(gates.chunks_mut(half)) {
            let (left, right) = row.split_at_checked(half).unwrap_or_default();
            gate(gates, if is_left { left } else { right });
        }
        if let Some(activated) = &activated
            && activated.dtype() != W::OWN
        {
            W::quantise(activated.dtype(), &mut gates);
        }
        // The product of two elements is rounded once, also to half precision: single precision has all its digits.
        for (row, gates) in elements.chunks(2 * half).zip(gates.chunks(half)) {
            let (left, right) = row.split_at_checked(half).unwrap_or_default();
            let done = results.len();
            results.extend_from_slice(if is_left { right } else { left });
            for (result, gate) in results.iter_mut().skip(done).zip(gates) {
                *result = *result * *gate;
            }
        }
        views.output(&out).put_all(&results);
        if let Some(activated) = &activated {
            views.output(activated).put_all(&gates);
        }
    })
}

/// `aclnnDot(self, tensor, out)`: the inner product of two vectors.
fn dot(call: &Call) -> Result<Plan, Refusal> {
    let types = types!(bf16 f16 f32 s8 s32 u8);
    let left = call.input("self").of(types)?;
    let right = call.input("tensor").of(types).like(&left)?;
    let out = call.output("out").of(types).like(&left)?;
    let left = left.ranked(1..=1)?;
    let right = right.shaped(left.shape())?;
    let out = out.shaped(&[])?;
    if SINGLE.contains(&left.dtype()) {
        return call.plan(move |views| {
            let (left, right) = (views.input(&left), views.input(&right));
            // SAFETY: the kernel writes the output below, after the last use of these elements.
            let left = unsafe { left.numbers() };
            // SAFETY: as above.
            let right = unsafe { right.numbers() };
            views.output(&out).set(0, product(&left, &right));
        });
    }
    call.plan_boxed(in_numbers!(left.dtype(), W => Box::new(move |views| {
        let (left, right) = (views.input(&left).all::<W>(), views.input(&right).all::<W>());
        let sum = left.iter().zip(&right).fold(W::ZERO, |sum, (one, other)| sum + *one * *other);
        views.output(&out).set(0, sum);
    })))
}
