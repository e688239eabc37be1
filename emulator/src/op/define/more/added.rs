//! Norms of rows by the root of their mean square, which are stored as bytes: of a tensor, or of the sum of two.

use super::super::computed::{Computed, Numbers};
use super::super::normalize::{of_rows, reduced_last, trailing};
use super::joint::byte;
use crate::op::call::{Call, Input, Output};
use crate::op::define::definitions;
use crate::op::dtype::{Types, types};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, put};

definitions! {
    aclnnAddRmsNormQuant, aclnnAddRmsNormQuantV2 = fixed;
    aclnnAddRmsNormDynamicQuant, aclnnAddRmsNormDynamicQuantV2 = twice;
    aclnnRmsNormDynamicQuant = once;
}

/// The types of the numbers that are normalized.
const HALVES: Types = types!(f16 bf16);

/// Returns an input that the operator does not have in each version, and that may be null.
fn given(call: &Call, name: &str, types: Types, shape: &[usize]) -> Result<Option<Input>, Refusal> {
    if !call.has(name) {
        return Ok(None);
    }
    let input = call.optional_input(name)?;
    let checked = input.map(|input| input.of(types)?.shaped(shape));
    checked.transpose()
}

/// Returns the two terms, the weights, and `betaOptional`.
fn terms(call: &Call) -> Result<[Option<Input>; 4], Refusal> {
    let one = call.input("x1").of(HALVES)?;
    let other = call.input("x2").like(&one)?.shaped(one.shape())?;
    let gamma = call.input("gamma").like(&one)?;
    let _ = trailing("gamma", gamma.shape(), &one)?;
    let beta = given(call, "betaOptional", types!(f16 bf16), gamma.shape())?;
    Ok([Some(one), Some(other), Some(gamma), beta])
}

/// Returns the norms of rows. The sums, and the norms without `beta`, are stored too.
fn norms(
    computed: &Computed,
    inputs: [&[f64]; 8],
    sums: &mut [f64],
    plain: &mut [f64],
) -> Vec<f64> {
    let [ones, others, gamma, beta, ..] = inputs;
    let size = computed.sizes[0].max(1);
    let mut results = Vec::new();
    for (start, row) in ones
        .chunks(size)
        .enumerate()
        .map(|(index, row)| (index * size, row))
    {
        let sum = |column: usize| at(row, column) + at(others, start + column);
        // CAST: a number of elements, which is exact.
        let mean = (0..row.len())
            .map(|column| sum(column) * sum(column))
            .sum::<f64>()
            / size as f64;
        let factor = 1.0 / (mean + computed.numbers[0]).sqrt();
        for column in 0..row.len() {
            let norm = sum(column) * factor * at(gamma, column);
            put(sums, start + column, sum(column));
            put(plain, start + column, norm);
            results.push(norm + at(beta, column));
        }
    }
    results
}

/// `aclnnAddRmsNormQuant(x1, x2, gamma, scales1, scales2Optional, zeroPoints1Optional, zeroPoints2Optional, axis, epsilon, divMode,
/// y1Out, y2Out, xOut)`: the second result is left as it is without its scales. `aclnnAddRmsNormQuantV2` has `betaOptional`, and the
/// norm without it as `rmsNormOut`. A card uses no other `axis` than -1.
fn fixed(call: &Call) -> Result<Plan, Refusal> {
    let [one, other, gamma, beta] = terms(call)?;
    let (Some(input), Some(weights)) = (one, gamma) else {
        return Err(Refusal::no_parameter("x1", "a tensor"));
    };
    let shape = weights.shape();
    let scale = call.input("scales1").of(types!(f32 bf16))?.shaped(shape)?;
    let second = given(call, "scales2Optional", types!(f32 bf16), shape)?;
    let zero = given(call, "zeroPoints1Optional", types!(s32 bf16), shape)?;
    let zeros = given(call, "zeroPoints2Optional", types!(s32 bf16), shape)?;
    if second.is_none() && zeros.is_some() {
        return Err(Refusal::invalid(format_args!(
            "zeroPoints2Optional is given without scales2Optional"
        )));
    }
    let bytes = |name: &str| call.output(name).of(types!(s8));
    let result = bytes("y1Out")?.shaped(input.shape())?;
    let another = bytes("y2Out")?;
    let another = second.map(|_| another.shaped(input.shape())).transpose()?;
    let sum = call.output("xOut").like(&input)?.shaped(input.shape())?;
    let norm = match call.has("rmsNormOut") {
        true => call.optional_output("rmsNormOut")?,
        false => None,
    };
    let norm = norm
        .map(|norm| norm.like(&input)?.shaped(input.shape()))
        .transpose()?;
    let inputs = [one, other, gamma, beta, Some(scale), second, zero, zeros];
    let outs = [Some(sum), norm, Some(result), another];
    let mut computed = Computed::new(&inputs, &outs, |computed, numbers: Numbers<'_>| {
        let [size, divides, ..] = computed.sizes;
        let [.., scales, second, zeros, others] = numbers.inputs;
        let [sums, plain, results, another, ..] = numbers.outs;
        let rows = norms(computed, numbers.inputs, sums, plain);
        for (results, scales, zeros) in [(results, scales, zeros), (another, second, others)] {
            for (index, (result, norm)) in results.iter_mut().zip(&rows).enumerate() {
                let column = index % size.max(1);
                let scale = at(scales, column);
                let number = if divides > 0 {
                    norm / scale
                } else {
                    norm * scale
                };
                *result = byte(number + at(zeros, column));
            }
        }
    });
    let size = shape.iter().product();
    computed.sizes = [size, usize::from(call.flag("divMode")?), 0, 0, 0, 0];
    computed.numbers[0] = call.floating("epsilon")?;
    computed.plan(call)
}

/// `aclnnAddRmsNormDynamicQuant(x1, x2, gamma, smoothScale1Optional, smoothScale2Optional, epsilon, y1Out, y2Out, xOut, scale1Out,
/// scale2Out)`: each row has a scale of its own. The second results are left as they are without their smooth scales.
/// `aclnnAddRmsNormDynamicQuantV2` has `betaOptional`, and says in `outputMask` which results are stored.
fn twice(call: &Call) -> Result<Plan, Refusal> {
    let [one, other, gamma, beta] = terms(call)?;
    let Some(input) = one else {
        return Err(Refusal::no_parameter("x1", "a tensor"));
    };
    let width = width(&input, gamma)?;
    let smooth = |name: &str| given(call, name, HALVES, &[width]);
    let [first, second] = [
        smooth("smoothScale1Optional")?,
        smooth("smoothScale2Optional")?,
    ];
    let mask = if call.has("outputMask") {
        call.bools("outputMask")?
    } else {
        &[]
    };
    let is_valid = match *mask {
        [] => first.is_some() || second.is_none(),
        [stores_first, stores_second] => {
            let is_stored =
                (stores_first || first.is_none()) && (stores_second || second.is_none());
            is_stored && (stores_first || stores_second)
        }
        _ => false,
    };
    if !is_valid {
        return Err(Refusal::invalid(format_args!(
            "the smooth scales are not those of outputMask {mask:?}"
        )));
    }
    let wanted = match *mask {
        [stores_first, stores_second] => [stores_first, stores_second],
        _ => [true, first.is_some() && second.is_some()],
    };
    let [result, scale] = results(call, ["y1Out", "scale1Out"], wanted[0], &input)?;
    let [another, scales] = results(call, ["y2Out", "scale2Out"], wanted[1], &input)?;
    let sum = call.output("xOut").like(&input)?.shaped(input.shape())?;
    let inputs = [one, other, gamma, beta, first, second];
    let outs = [Some(sum), result, scale, another, scales];
    rows(call, &inputs, &outs, width)
}

/// `aclnnRmsNormDynamicQuant(x, gamma, smoothScalesOptional, betaOptional, epsilon, dstType, yOut, scaleOut)`: each row has a scale of
/// its own.
fn once(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(HALVES)?;
    let gamma = call.input("gamma").like(&input)?;
    let width = width(&input, Some(gamma))?;
    let smooth = given(call, "smoothScalesOptional", HALVES, &[width])?;
    let beta = given(call, "betaOptional", HALVES, &[width])?;
    let kind = call.whole("dstType")?;
    if kind != i64::from(ascendcl_sys::ACL_INT8.0) {
        return Err(Refusal::invalid(format_args!(
            "dstType is {kind}, not that of bytes"
        )));
    }
    let [result, scale] = results(call, ["yOut", "scaleOut"], true, &input)?;
    let inputs = [Some(input), None, Some(gamma), beta, smooth];
    rows(call, &inputs, &[None, result, scale], width)
}

/// Returns the number of elements of a row, which is that of the weights.
fn width(input: &Input, gamma: Option<Input>) -> Result<usize, Refusal> {
    let width = input.ranked(2..=8)?.shape().last().copied().unwrap_or(0);
    let _ = gamma.map(|gamma| gamma.shaped(&[width])).transpose()?;
    Ok(width)
}

/// Returns the bytes and the scales of rows, if they are wanted. A card also takes those of a matrix of all rows.
fn results(
    call: &Call,
    names: [&str; 2],
    is_wanted: bool,
    input: &Input,
) -> Result<[Option<Output>; 2], Refusal> {
    let bytes = call.output(names[0]).of(types!(s8))?;
    let scale = call.output(names[1]).of(types!(f32))?;
    if !is_wanted {
        return Ok([None; 2]);
    }
    let (width, outer) = input.shape().split_last().unwrap_or((&0, &[]));
    let mut sizes = outer.iter();
    let count = sizes.try_fold(1_usize, |all, size| all.checked_mul(*size));
    let count = count.unwrap_or(usize::MAX);
    let bytes = match bytes.shape() == [count, *width] {
        true => bytes,
        false => bytes.shaped(input.shape())?,
    };
    let scale = match scale.shape() == [count] || scale.shape() == outer {
        true => scale,
        false => of_rows(scale, &reduced_last(input.shape(), 1))?,
    };
    Ok([Some(bytes), Some(scale)])
}

/// Plans norms with a scale for each row, so that the largest of its elements becomes 127.
fn rows(
    call: &Call,
    inputs: &[Option<Input>],
    outs: &[Option<Output>],
    width: usize,
) -> Result<Plan, Refusal> {
    let mut computed = Computed::new(inputs, outs, |computed, numbers: Numbers<'_>| {
        let size = computed.sizes[0].max(1);
        let [_, _, _, _, smooth, smooth_too, ..] = numbers.inputs;
        let [sums, results, scales, others, scales_too] = numbers.outs;
        let norms = norms(computed, numbers.inputs, sums, &mut []);
        for (results, scales, smooth) in
            [(results, scales, smooth), (others, scales_too, smooth_too)]
        {
            let rows = norms.chunks(size).zip(results.chunks_mut(size));
            for (index, (row, results)) in rows.enumerate() {
                let factor = |column| smooth.get(column).copied().unwrap_or(1.0);
                let numbers = row
                    .iter()
                    .enumerate()
                    .map(|(column, norm)| norm * factor(column));
                let most = numbers
                    .clone()
                    .fold(0.0, |most: f64, number| most.max(number.abs()));
                let step = if most == 0.0 { 1.0 } else { most / 127.0 };
                results
                    .iter_mut()
                    .zip(numbers)
                    .for_each(|(result, number)| *result = byte(number / step));
                put(scales, index, most / 127.0);
            }
        }
    });
    computed.sizes[0] = width;
    computed.numbers[0] = call.floating("epsilon")?;
    computed.plan(call)
}
