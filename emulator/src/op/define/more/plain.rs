//! Functions of elements, halves and matrices that few programs call.

use super::super::alike::alike;
use super::super::along::halves_along;
use super::super::computed::{Computed, Numbers};
use super::super::weights::broadcast_like;
use crate::op::by_formula::formula;
use crate::op::call::Call;
use crate::op::define::definitions;
use crate::op::dtype::{SINGLE, types};
use crate::op::elementwise::Elementwise;
use crate::op::operands::Source;
use crate::op::plan::{Definition as _, Plan};
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, Split, at, count, put};
use crate::op::shape::Dims;
use crate::results::list_of;

definitions! {
    aclnnApproximateEqual = alike(formula!(compared |x1, x2, tolerance| "abs(x1 - x2) < tolerance").takes(SINGLE));
    aclnnAssignSub = alike(formula!(|var, value| "var - value").same(types!(f32 f16 bf16 s8 s32 s64 u8)));
    aclnnAxpyV3 = alike(formula!(real |x, y, alpha| "alpha * x + y").same(types!(f32 f16)));
    aclnnFusedMulAddN = |call: &Call| fused(call, ["x1", "x2", "x3"]);
    aclnnAxpyV2 = |call: &Call| fused(call, ["other", "self", "alpha"]);
    aclnnEyeV2 = ones;
    aclnnSquaredDifference = formula!(|x1, x2| "d = x1 - x2; d * d").same(types!(f32 f16 bf16 s32 s64));
    aclnnTruncateDiv = formula!(|x1, x2| "quotient(x1, x2)").same(types!(f32 f16 bf16 s8 s16 s32 s64 u8));
    aclnnTruncateMod = formula!(|x1, x2| "remainder(x1, x2)").same(types!(f32 f16 bf16 s8 s32 u8));
    aclnnFloorDiv = alike(formula!(|x, y| "quotient_down(x, y)").same(types!(f32 f16 bf16 s8 s32 u8)));
    aclnnMulNoNan = formula!(|x, y| "y == 0 ? 0 : x * y").same(types!(f32 f16 bf16 s32));
    aclnnNdtri = alike(formula!(real |x| "1.4142135623730951 * erfinv(2 * x - 1)").same(SINGLE));
    aclnnSoftsign = alike(formula!(real |x| "x / (1 + abs(x))").same(SINGLE));
    aclnnSiluMul = alike(formula!(real |x, y| "silu(x) * y").same(SINGLE));
    aclnnBiasAdd = bias_add;
    aclnnDivV3 = divided;
    aclnnDiagPart = diagonal;
    aclnnReluV3 = rectified;
    aclnnSwigluClamp = clamped;
    aclnnClippedSwiglu = clipped;
    aclnnEltwise = joined;
    aclnnMaskedScatterV2 = scattered;
    aclnnLogdet = |call: &Call| determinants(call, ["", "out"]);
    aclnnSlogdet = |call: &Call| determinants(call, ["signOut", "logOut"]);
}

/// `aclnnFusedMulAddN(x1, x2, x3, y)`, and `aclnnAxpyV2(self, other, alpha, out)`: the product of the first and the last of these
/// names, which is one number, and the other one.
fn fused(call: &Call, [one, other, factor]: [&str; 3]) -> Result<Plan, Refusal> {
    const FUSED: Elementwise<3> =
        formula!(|one, other, factor| "one * factor + other").same(types!(f32 f16 bf16 s16 s32));
    let (_, out) = call.elements()?;
    let one = call.input(one).shaped(out.shape())?;
    let other = call.input(other).shaped(out.shape())?;
    let factor = call.input(factor)?;
    if factor.elements() != 1 {
        return Err(Refusal::invalid(format_args!(
            "{} has not one element",
            factor.name
        )));
    }
    FUSED.plan_of(call, &[one, other, factor].map(Source::Tensor), out)
}

/// `aclnnEyeV2(xOptional, rows, cols, y)`
fn ones(call: &Call) -> Result<Plan, Refusal> {
    let sizes = [
        count("rows", call.whole("rows")?)?,
        count("cols", call.whole("cols")?)?,
    ];
    let out = call
        .output("y")
        .of(types!(f32 f16 s16 s32))
        .shaped(&sizes)?;
    let mut computed = Computed::new(&[], &[Some(out)], |computed, numbers: Numbers<'_>| {
        let [rows, columns, ..] = computed.sizes;
        let [results, ..] = numbers.outs;
        (0..rows.min(columns)).for_each(|index| put(results, index * (columns + 1), 1.0));
    });
    computed.sizes = [sizes[0], sizes[1], 0, 0, 0, 0];
    computed.plan(call)
}

/// `aclnnBiasAdd(x, bias, dataFormatOptional, out)`: the channels are the second dimension, or the last one.
fn bias_add(call: &Call) -> Result<Plan, Refusal> {
    const SUM: Elementwise<2> = formula!(|x, bias| "x + bias").same(types!(f32 f16 bf16 s32));
    let input = call.input("x")?;
    let mut bias = call.input("bias").ranked(1..=1)?;
    let rank = input.shape().len();
    let dim = match call.text("dataFormatOptional")? {
        Some("NCHW" | "NCDHW") => Some(1),
        None | Some("NHWC" | "NDHWC" | "ND") => rank.checked_sub(1),
        Some(other) => {
            return Err(Refusal::invalid(format_args!(
                "dataFormat is {other:?}; it is \"NHWC\", \"NCHW\", \"NDHWC\", \"NCDHW\" or \"ND\""
            )));
        }
    };
    let Some((dim, channels)) = dim.and_then(|dim| Some((dim, *input.shape().get(dim)?))) else {
        return Err(Refusal::invalid(format_args!(
            "x {:?} has no dimension of channels",
            input.shape()
        )));
    };
    let _ = bias.shaped(&[channels])?;
    let one = |here: usize, there: usize| move |index| if index == dim { here } else { there };
    let step = bias.tensor.strides.iter().next().unwrap_or(0);
    bias.tensor.strides = Dims::new((0..rank).map(one(step, 0))).unwrap_or_default();
    bias.tensor.shape = Dims::new((0..rank).map(one(channels, 1))).unwrap_or_default();
    let out = call.output("out").shaped(input.shape())?;
    SUM.plan_of(call, &[Source::Tensor(input), Source::Tensor(bias)], out)
}

/// `aclnnDivV3(self, other, mode, out)`: the quotient, or that without its fraction, or that rounded down.
fn divided(call: &Call) -> Result<Plan, Refusal> {
    const DIVIDED: Elementwise<3> = formula!(real | x, other, _mode | "x / other").same(SINGLE);
    const CUT: Elementwise<3> =
        formula!(real | x, other, _mode | "quotient(x, other)").same(SINGLE);
    const DOWN: Elementwise<3> =
        formula!(real | x, other, _mode | "quotient_down(x, other)").same(SINGLE);
    match call.whole("mode")? {
        0 => DIVIDED.plan(call),
        1 => CUT.plan(call),
        2 => DOWN.plan(call),
        mode => Err(Refusal::invalid(format_args!(
            "mode is {mode}; it is 0, 1 or 2"
        ))),
    }
}

/// `aclnnDiagPart(x, y)`
fn diagonal(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(types!(f32 f16 s32)).ranked(2..=2)?;
    let size = at(input.shape(), 0);
    let input = input.shaped(&[size, size])?;
    let out = call.output("y").like(&input)?.shaped(&[size])?;
    Computed::new(&[Some(input)], &[Some(out)], |_, numbers: Numbers<'_>| {
        let ([elements, ..], [results, ..]) = (numbers.inputs, numbers.outs);
        let size = results.len();
        for (result, one) in results.iter_mut().zip(elements.iter().step_by(size + 1)) {
            *result = *one;
        }
    })
    .plan(call)
}

/// `aclnnReluV3(x, yOut, maskOut)`: the mask says where a number is above 0.
fn rectified(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(types!(f32 f16 bf16 s32 s8 u8))?;
    let outs = [
        Some(call.output("yOut").like(&input)?.shaped(input.shape())?),
        Some(
            call.output("maskOut")
                .of(types!(bool u8))
                .shaped(input.shape())?,
        ),
    ];
    Computed::new(&[Some(input)], &outs, |_, numbers: Numbers<'_>| {
        let [results, mask, ..] = numbers.outs;
        let places = results.iter_mut().zip(mask).zip(numbers.inputs[0]);
        for ((result, mask), one) in places {
            *result = if *one > 0.0 || one.is_nan() {
                *one
            } else {
                0.0
            };
            *mask = f64::from(u8::from(*one > 0.0));
        }
    })
    .plan(call)
}

/// `aclnnSwigluClamp(x, limit, y)`: the SiLU of the first half of the last dimension, at most `limit`, times the second half, at
/// most that far from 0.
fn clamped(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE)?;
    let limit = call.floating("limit")?;
    if limit.is_nan() || limit <= 0.0 {
        return Err(Refusal::invalid(format_args!(
            "limit is {limit}; it is above 0"
        )));
    }
    let (dim, shape) = halves_along(&input, -1)?;
    let out = call.output("y").like(&input)?.shaped(&shape)?;
    let mut computed = Computed::<f64>::new(&[Some(input)], &[Some(out)], |computed, numbers| {
        let (limit, half) = (computed.numbers[0], computed.sizes[0].max(1));
        let rows = numbers.inputs[0].chunks(2 * half);
        for (row, results) in rows.zip(numbers.outs[0].chunks_mut(half)) {
            let (gates, others) = row.split_at_checked(half).unwrap_or_default();
            for (result, (gate, other)) in results.iter_mut().zip(gates.iter().zip(others)) {
                let open = gate / (1.0 + (-gate).exp());
                *result = open.min(limit) * other.clamp(-limit, limit);
            }
        }
    });
    computed.sizes[0] = at(&shape, dim);
    computed.numbers[0] = limit;
    computed.plan(call)
}

/// `aclnnClippedSwiglu(x, groupIndexOptional, dim, alpha, limit, bias, interleaved, out)`: the gates are at most `limit`, and the
/// others at most that far from 0. Both are every second element of the dimension if `interleaved`, and its halves otherwise.
/// `groupIndexOptional` has the number of rows of each group, where a row is what has one index of the dimensions before. Rows behind
/// the last group become zeros.
fn clipped(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE)?;
    let groups = match call.optional_input("groupIndexOptional")? {
        Some(groups) => Some(groups.of(types!(s64)).ranked(1..=1)?),
        None => None,
    };
    let (dim, shape) = halves_along(&input, call.whole("dim")?)?;
    let out = call.output("out").like(&input)?.shaped(&shape)?;
    let split = Split::new(&shape, dim);
    let inputs = [Some(input), groups];
    let mut computed = Computed::<f64>::new(&inputs, &[Some(out)], |computed, numbers| {
        let [size, inner, is_mixed, is_grouped, ..] = computed.sizes;
        let [alpha, limit, bias] = computed.numbers;
        let [elements, groups, ..] = numbers.inputs;
        // CAST: a negative number of rows is none.
        let rows = match is_grouped {
            1 => groups.iter().sum::<f64>() as usize,
            _ => usize::MAX,
        };
        let results = numbers.outs[0].iter_mut().enumerate();
        for (index, result) in results.take(rows.saturating_mul(size * inner)) {
            let (place, behind) = (index / inner, index % inner);
            let (outer, place) = (place / size, place % size);
            let place = 2 * outer * size + if is_mixed == 1 { 2 * place } else { place };
            let step = if is_mixed == 1 { 1 } else { size };
            let [gate, other] =
                [place, place + step].map(|place| at(elements, place * inner + behind));
            let gate = gate.min(limit);
            let open = gate / (1.0 + (-alpha * gate).exp());
            *result = open * (other.clamp(-limit, limit) + bias);
        }
    });
    let is_mixed = usize::from(call.flag("interleaved")?);
    let is_grouped = usize::from(groups.is_some());
    computed.sizes = [split.size, split.inner, is_mixed, is_grouped, 0, 0];
    let [alpha, limit, bias] = ["alpha", "limit", "bias"].map(|name| call.floating(name));
    computed.numbers = [alpha?, limit?, bias?];
    if computed.numbers[1].is_nan() || computed.numbers[1] <= 0.0 {
        return Err(Refusal::invalid("limit is not above 0"));
    }
    computed.plan(call)
}

/// `aclnnEltwise(inputs, mode, coeffOptional, out)`: the products of the tensors, their sums with a factor for each, or the largest
/// of their elements.
fn joined(call: &Call) -> Result<Plan, Refusal> {
    let inputs = call.inputs("inputs")?;
    let Some(first) = inputs.first().copied().filter(|_| inputs.len() <= 32) else {
        return Err(Refusal::invalid(format_args!(
            "inputs has {} tensors; it has 1 to 32",
            inputs.len()
        )));
    };
    let _ = first.of(SINGLE)?;
    for input in &inputs {
        let _ = input.like(&first)?.shaped(first.shape())?;
    }
    let out = call.output("out").like(&first)?.shaped(first.shape())?;
    let mode = call.whole("mode")?;
    let factors = list_of(
        call.floats("coeffOptional")?
            .iter()
            .map(|one| f64::from(*one)),
    );
    let is_weighted = mode == 1 && !factors.is_empty();
    if !(0..=2).contains(&mode) || is_weighted && factors.len() != inputs.len() {
        return Err(Refusal::invalid(format_args!(
            "mode is {mode}, and not 0, 1 or 2, or there are {} factors of {} tensors",
            factors.len(),
            inputs.len()
        )));
    }
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut results: Option<Vec<f64>> = None;
        for (index, input) in inputs.iter().enumerate() {
            let mut elements = views.input(input).all::<f64>();
            if let Some(factor) = factors.get(index).filter(|_| is_weighted) {
                elements.iter_mut().for_each(|one| *one *= factor);
            }
            let Some(results) = &mut results else {
                results = Some(elements);
                continue;
            };
            for (result, one) in results.iter_mut().zip(elements) {
                *result = match mode {
                    0 => *result * one,
                    1 => *result + one,
                    _ => result.max(one),
                };
            }
        }
        views.output(&out).put_all(&results.unwrap_or_default());
    })
}

/// `aclnnMaskedScatterV2(self, mask, updates, out)`: elements of `updates`, one after the other, where the mask is true.
fn scattered(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(types!(f32 f16 bf16 s32))?;
    let mask = broadcast_like(call.input("mask").of(types!(bool))?, &input)?;
    let updates = call.input("updates").like(&input)?;
    let out = call.output("out").like(&input)?.shaped(input.shape())?;
    let inputs = [Some(input), Some(mask), Some(updates)];
    let mut computed = Computed::new(&inputs, &[Some(out)], |_, numbers: Numbers<'_>| {
        let [elements, mask, updates, ..] = numbers.inputs;
        let mut updates = updates.iter();
        let places = numbers.outs[0].iter_mut().zip(elements.iter().zip(mask));
        for (result, (one, mask)) in places {
            let new = if *mask == 0.0 { None } else { updates.next() };
            *result = *new.unwrap_or(one);
        }
    });
    computed.is_spread = true;
    computed.plan(call)
}

/// `aclnnLogdet(self, out)`, and `aclnnSlogdet(self, signOut, logOut)`, which has the logarithm of the absolute determinant.
fn determinants(call: &Call, [sign, logarithm]: [&str; 2]) -> Result<Plan, Refusal> {
    let input = call.input("self").of(types!(f32)).ranked(2..=8)?;
    let Some((outer, [rows, columns])) = input.shape().split_last_chunk::<2>() else {
        return Err(Refusal::invalid("self has no matrices"));
    };
    if rows != columns {
        return Err(Refusal::invalid(format_args!(
            "self {:?} has no square matrices",
            input.shape()
        )));
    }
    let result = |name: &str| call.output(name).like(&input)?.shaped(outer);
    let outs = match sign {
        "" => [Some(result(logarithm)?), None],
        _ => [Some(result(logarithm)?), Some(result(sign)?)],
    };
    let mut computed = Computed::new(&[Some(input)], &outs, |computed, numbers| {
        let [size, has_sign, ..] = computed.sizes;
        let [results, signs, ..] = numbers.outs;
        for (index, result) in results.iter_mut().enumerate() {
            let area = index * size * size..(index + 1) * size * size;
            let matrix = numbers.inputs[0].get(area).unwrap_or_default();
            let (sign, sum) = determinant(matrix.to_vec(), size);
            put(signs, index, sign);
            *result = match has_sign == 0 && sign < 0.0 {
                true => f64::NAN,
                false => sum,
            };
        }
    });
    computed.sizes = [*rows, usize::from(!sign.is_empty()), 0, 0, 0, 0];
    computed.plan(call)
}

/// Returns the sign of the determinant of a matrix, and the logarithm of its absolute value, by elimination with the largest
/// number of each column.
fn determinant(mut matrix: Vec<f64>, size: usize) -> (f64, f64) {
    let (mut sign, mut sum) = (1.0, 0.0);
    for column in 0..size {
        let value = |row: &usize| at(&matrix, row * size + column).abs();
        let best = (column..size).max_by(|one, other| value(one).total_cmp(&value(other)));
        let best = best.unwrap_or(column);
        if best != column {
            sign = -sign;
            for offset in 0..size {
                matrix.swap(column * size + offset, best * size + offset);
            }
        }
        let pivot = at(&matrix, column * (size + 1));
        if pivot == 0.0 {
            return (0.0, f64::NEG_INFINITY);
        }
        sign *= pivot.signum();
        sum += pivot.abs().ln();
        for row in column + 1..size {
            let factor = at(&matrix, row * size + column) / pivot;
            for offset in column..size {
                let change = factor * at(&matrix, column * size + offset);
                let before = at(&matrix, row * size + offset);
                put(&mut matrix, row * size + offset, before - change);
            }
        }
    }
    (sign, sum)
}
