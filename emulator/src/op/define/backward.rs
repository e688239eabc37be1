//! Gradients along a dimension, over the last dimensions, and of a table of rows. `masked` has those by several operands.

use super::computed::{Computed, Numbers};
use super::definitions;
use crate::op::call::{Call, Input};
use crate::op::dtype::{FLOATING, SINGLE, Types, types};
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, Split, at, count, dimension, put};
use crate::op::shape::MAX_RANK;
use crate::results::list_of;

definitions! {
    aclnnSoftmaxBackward = |call: &Call| softmax(call, false);
    aclnnLogSoftmaxBackward = |call: &Call| softmax(call, true);
    aclnnGluBackward = |call: &Call| gate(call, ["gradOut", "self"], FLOATING, glu);
    aclnnSwiGluGrad = |call: &Call| gate(call, ["yGrad", "x"], SINGLE, swiglu);
    aclnnGeGluBackward = |call: &Call| ge_glu(call, false);
    aclnnGeGluV3Backward = |call: &Call| ge_glu(call, call.flag("activateLeft")?);
    aclnnRmsNormGrad = rms_norm;
    aclnnDeepNormGrad = deep_norm;
    aclnnAddLayerNormGrad = sum_norm;
    aclnnEmbeddingDenseBackward = table;
}

/// `(gradOutput, output, dim, out)`
fn softmax(call: &Call, is_logarithm: bool) -> Result<Plan, Refusal> {
    let gradient = call.input("gradOutput").of(SINGLE)?;
    let output = call.input("output").of(SINGLE).like(&gradient)?;
    let shape = gradient.shape();
    let output = output.shaped(shape)?;
    let out = call.output("out").of(FLOATING).shaped(shape)?;
    let dim = dimension("dim", call.whole("dim")?, shape.len())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let split = Split::new(shape, dim);
    call.plan(move |views| {
        let (gradients, outputs) = (
            views.input(&gradient).all::<f64>(),
            views.input(&output).all::<f64>(),
        );
        let mut results = vec![0.0; gradients.len()];
        for first in split.rows() {
            let row = || (0..split.size).map(|index| first + index * split.inner);
            let weight = |place| {
                if is_logarithm {
                    1.0
                } else {
                    at(&outputs, place)
                }
            };
            let sum: f64 = row()
                .map(|place| at(&gradients, place) * weight(place))
                .sum();
            for place in row() {
                let (gradient, output) = (at(&gradients, place), at(&outputs, place));
                let result = if is_logarithm {
                    gradient - output.exp() * sum
                } else {
                    (gradient - sum) * output
                };
                put(&mut results, place, result);
            }
        }
        views.output(&out).put_all(&results);
    })
}

/// The gradients of both halves from the gradient of the result.
type Gate = fn(f64, f64, f64) -> [f64; 2];

fn glu(gradient: f64, value: f64, gate: f64) -> [f64; 2] {
    let open = 1.0 / (1.0 + (-gate).exp());
    [gradient * open, gradient * value * open * (1.0 - open)]
}

fn swiglu(gradient: f64, gate: f64, value: f64) -> [f64; 2] {
    let open = 1.0 / (1.0 + (-gate).exp());
    let slope = open * (1.0 + gate * (1.0 - open));
    [gradient * value * slope, gradient * gate * open]
}

/// The gradient of a product in which one half of a dimension opens the other one: `(gradient, operand, dim, out)`
fn gate(
    call: &Call,
    [gradient, operand]: [&'static str; 2],
    types: Types,
    compute: Gate,
) -> Result<Plan, Refusal> {
    let input = call.input(operand).of(types).ranked(1..=MAX_RANK)?;
    let gradient = call.input(gradient).like(&input)?;
    let out = call.output("out").like(&input).shaped(input.shape())?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    let split = Split::new(input.shape(), dim);
    if !split.size.is_multiple_of(2) {
        return Err(Refusal::invalid(format_args!(
            "{operand} {:?} has an odd number of elements in dimension {dim}",
            input.shape()
        )));
    }
    let mut shape = input.shape().to_vec();
    if let Some(size) = shape.get_mut(dim) {
        *size /= 2;
    }
    let gradient = gradient.shaped(&shape)?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let gradients = views.input(&gradient).all::<f64>();
        let mut results = views.input(&input).all::<f64>();
        let half = split.size / 2 * split.inner;
        let rows = results.chunks_mut((2 * half).max(1));
        for (row, gradients) in rows.zip(gradients.chunks(half.max(1))) {
            let (first, second) = row.split_at_mut_checked(half).unwrap_or_default();
            for ((first, second), gradient) in first.iter_mut().zip(second).zip(gradients) {
                [*first, *second] = compute(*gradient, *first, *second);
            }
        }
        views.output(&out).put_all(&results);
    })
}

/// Returns the number of elements over which a normalisation goes: those of the last dimensions, which have this shape.
pub(super) fn normalised(input: &Input, name: &str, shape: &[usize]) -> Result<usize, Refusal> {
    if input.shape().ends_with(shape) {
        return Ok(shape.iter().product());
    }
    Err(Refusal::invalid(format_args!(
        "{name} {shape:?} is not the end of the shape {:?}",
        input.shape()
    )))
}

/// Checks that figures of a normalisation have one number for each row.
pub(super) fn figures(input: Input, rows: usize) -> Result<Input, Refusal> {
    if input.elements() == rows {
        return Ok(input);
    }
    Err(Refusal::invalid(format_args!(
        "{} has the shape {:?}; it has one number for each of {rows} rows",
        input.name,
        input.shape()
    )))
}

/// The gradients of an operand and of its weights from a row of normalised numbers: those of the operand are
/// `r * (g * w - mean(g * w) - x * mean(g * w * x))`, without the first mean if the mean was not taken away.
pub(super) fn row_gradients(
    (normal, gradients, weights): (&mut [f64], &[f64], &[f64]),
    r: f64,
    is_centered: bool,
) {
    // CAST: a number of elements, which is exact.
    let count = normal.len() as f64;
    let weighted = || {
        gradients
            .iter()
            .zip(weights)
            .map(|(one, weight)| one * weight)
    };
    let mean = weighted().sum::<f64>() / count;
    let mean = if is_centered { mean } else { 0.0 };
    let along = weighted().zip(&*normal).map(|(one, normal)| one * normal);
    let along = along.sum::<f64>() / count;
    for (normal, weighted) in normal.iter_mut().zip(weighted()) {
        *normal = r * (weighted - mean - *normal * along);
    }
}

/// `aclnnRmsNormGrad(dy, x, rstd, gamma, dxOut, dgammaOut)`
fn rms_norm(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("dy").of(SINGLE)?;
    let input = call.input("x").like(&gradient).shaped(gradient.shape())?;
    let gamma = call.input("gamma").of(SINGLE)?;
    if gamma.dtype() != ascendcl_sys::ACL_FLOAT {
        let _ = gamma.like(&gradient)?;
    }
    let columns = normalised(&input, "gamma", gamma.shape())?;
    let rows = input.elements().checked_div(columns).unwrap_or(0);
    let r = figures(call.input("rstd").of(types!(f32))?, rows)?;
    let out = call.output("dxOut").like(&gradient).shaped(input.shape())?;
    let of_gamma = call.output("dgammaOut").of(types!(f32));
    let of_gamma = of_gamma.shaped(gamma.shape())?;
    if columns == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let read = |input: &Input| views.input(input).all::<f64>();
        let (gradients, mut results) = (read(&gradient), read(&input));
        let (weights, r) = (read(&gamma), read(&r));
        let mut sums = vec![0.0; columns];
        let pairs = results.chunks_mut(columns).zip(gradients.chunks(columns));
        for ((row, gradients), r) in pairs.zip(r) {
            for ((one, sum), gradient) in row.iter_mut().zip(&mut sums).zip(gradients) {
                *one *= r;
                *sum += *one * gradient;
            }
            row_gradients((row, gradients, &weights), r, false);
        }
        views.output(&out).put_all(&results);
        views.output(&of_gamma).put_all(&sums);
    })
}

/// `aclnnEmbeddingDenseBackward(grad, indices, numWeights, paddingIdx, scaleGradByFreq, out)`
fn table(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("grad").of(SINGLE).ranked(2..=MAX_RANK)?;
    let indices = call.input("indices");
    let indices = indices.of(types!(f32 f16 f64 s32 s64 s16 s8 u8 bool))?;
    let width = gradient.shape().last().copied().unwrap_or(0);
    if gradient.elements() != indices.elements().saturating_mul(width) {
        return Err(Refusal::invalid(format_args!(
            "grad {:?} has not one row for each index of {:?}",
            gradient.shape(),
            indices.shape()
        )));
    }
    let rows = count("numWeights", call.whole("numWeights")?)?;
    let padding = call.whole("paddingIdx")?;
    let is_scaled = call.flag("scaleGradByFreq")?;
    let out = call.output("out").like(&gradient).shaped(&[rows, width])?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let gradients = views.input(&gradient).all::<f64>();
        let places = views.input(&indices).all::<Whole>();
        let mut results = vec![0.0; out.elements()];
        let mut counts = vec![0.0_f64; rows];
        for (place, gradient) in places.into_iter().zip(gradients.chunks(width)) {
            let Some(row) = views.below_in(&indices, place, rows) else {
                continue;
            };
            if let Some(count) = counts.get_mut(row) {
                *count += 1.0;
            }
            let sums = results.iter_mut().skip(row * width);
            if place.0 != padding {
                sums.zip(gradient).for_each(|(sum, one)| *sum += one);
            }
        }
        if is_scaled {
            for (row, count) in results.chunks_mut(width).zip(counts) {
                row.iter_mut().for_each(|one| *one /= count.max(1.0));
            }
        }
        views.output(&out).put_all(&results);
    })
}

/// `aclnnGeGluBackward(gradOutput, self, gelu, dim, approximate, gradInput)`, and `aclnnGeGluV3Backward` with `activateLeft`
fn ge_glu(call: &Call, is_left: bool) -> Result<Plan, Refusal> {
    let input = call.input("self").of(SINGLE).ranked(1..=MAX_RANK)?;
    let gradient = call.input("gradOutput").like(&input)?;
    let gelu = call.input("gelu").like(&input)?;
    let out = call.output("gradInput").like(&input)?;
    let out = out.shaped(input.shape())?;
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    let approximate = call.whole("approximate")?;
    let split = Split::new(input.shape(), dim);
    if !split.size.is_multiple_of(2) || !(0..=1).contains(&approximate) {
        return Err(Refusal::invalid(format_args!(
            "self {:?} has an odd number of elements in dimension {dim}, or approximate is {approximate}, and not 0 or 1",
            input.shape()
        )));
    }
    let mut shape = input.shape().to_vec();
    put(&mut shape, dim, split.size / 2);
    let (gradient, gelu) = (gradient.shaped(&shape)?, gelu.shaped(&shape)?);
    let inputs = [Some(input), Some(gradient), Some(gelu)];
    let mut computed = Computed::new(&inputs, &[Some(out)], gated);
    let half = split.size / 2 * split.inner;
    computed.sizes = [
        half,
        usize::from(approximate == 1),
        usize::from(is_left),
        0,
        0,
        0,
    ];
    computed.plan(call)
}

fn gated(computed: &Computed, numbers: &mut Numbers) {
    let [half, approximate, is_left, ..] = computed.sizes;
    let [elements, gradients, gelus, ..] = &numbers.inputs;
    let [results, ..] = &mut numbers.outs;
    for (index, (gradient, gelu)) in gradients.iter().zip(gelus).enumerate() {
        let left = index / half * 2 * half + index % half;
        let (active, other) = if is_left > 0 {
            (left, left + half)
        } else {
            (left + half, left)
        };
        let slope = gelu_slope(at(elements, active), approximate > 0);
        put(results, active, gradient * at(elements, other) * slope);
        put(results, other, gradient * gelu);
    }
}

/// Returns the slope of the GELU.
fn gelu_slope(x: f64, is_approximate: bool) -> f64 {
    if !is_approximate {
        let density = (-0.5 * x * x).exp() * 0.398_942_280_401_432_7;
        return 0.5 * (1.0 + libm::erf(x * core::f64::consts::FRAC_1_SQRT_2)) + x * density;
    }
    const FACTOR: f64 = 0.797_884_560_802_865_4;
    let tangent = (FACTOR * (x + 0.044_715 * x * x * x)).tanh();
    let inner = FACTOR * (1.0 + 0.134_145 * x * x);
    0.5 * (1.0 + tangent) + 0.5 * x * (1.0 - tangent * tangent) * inner
}

/// `aclnnDeepNormGrad(dy, x, gx, gamma, mean, rstd, alpha, dxOut, dgxOut, dbetaOut, dgammaOut)`
fn deep_norm(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("dy").of(SINGLE)?;
    let same = |name| call.input(name).like(&gradient);
    let [x, gx] = ["x", "gx"].map(|name| same(name).shaped(gradient.shape()));
    let gamma = same("gamma")?;
    let size = normalised(&gradient, "gamma", gamma.shape())?;
    let rows = gradient.elements() / size.max(1);
    let [mean, factor] =
        ["mean", "rstd"].map(|name| figures(call.input(name).of(types!(f32))?, rows));
    let out = |name| call.output(name).like(&gradient).shaped(gradient.shape());
    let by_row = |name| call.output(name).of(types!(f32)).shaped(gamma.shape());
    let inputs = [
        Some(gradient),
        Some(x?),
        Some(gx?),
        Some(gamma),
        Some(mean?),
        Some(factor?),
    ];
    let outs = [
        Some(out("dxOut")?),
        Some(by_row("dbetaOut")?),
        Some(by_row("dgammaOut")?),
        Some(out("dgxOut")?),
    ];
    let mut computed = Computed::new(&inputs, &outs, deeply_normalised);
    computed.sizes = [size, 0, 0, 0, 0, 0];
    computed.numbers = [call.floating("alpha")?, 0.0, 0.0];
    computed.plan(call)
}

/// The slopes of `(alpha * x + gx - mean) * factor * gamma + beta`, plus those of the sum itself.
fn deeply_normalised(computed: &Computed, numbers: &mut Numbers) {
    let [size, ..] = computed.sizes;
    let [alpha, ..] = computed.numbers;
    let [gradients, x, gx, weights, means, factors, of_sum, ..] = &numbers.inputs;
    let [of_x, of_beta, of_gamma, of_gx] = &mut numbers.outs;
    for (row, (mean, factor)) in means.iter().zip(factors).enumerate() {
        let places = row * size..(row + 1) * size;
        let gradients = gradients.get(places.clone()).unwrap_or_default();
        let [x, gx] = [x, gx].map(|one| one.get(places.clone()).unwrap_or_default());
        let pairs = x.iter().zip(gx);
        let mut normal = list_of(pairs.map(|(one, other)| (alpha * one + other - mean) * factor));
        for ((beta, gamma), (gradient, normal)) in of_beta
            .iter_mut()
            .zip(&mut *of_gamma)
            .zip(gradients.iter().zip(&normal))
        {
            *beta += gradient;
            *gamma += gradient * normal;
        }
        row_gradients((&mut normal, gradients, weights), *factor, true);
        if let Some(of_sum) = of_sum.get(places.clone()) {
            for (slope, one) in normal.iter_mut().zip(of_sum) {
                *slope += one;
            }
        }
        let of_x = of_x.get_mut(places.clone()).unwrap_or_default();
        for (result, slope) in of_x.iter_mut().zip(&normal) {
            *result = alpha * slope;
        }
        if let Some(of_gx) = of_gx.get_mut(places) {
            of_gx.copy_from_slice(&normal);
        }
    }
}

/// `aclnnAddLayerNormGrad(dy, x1, x2, rstd, mean, gamma, dsumOptional, dxOut, dgammaOut, dbetaOut)`: the gradients of the norm of
/// `x1 + x2`, by the sum, `gamma` and `beta`. `dsum` is the gradient of the sum that the operator gives beside the norm.
fn sum_norm(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("dy").of(SINGLE)?;
    let same = |name| call.input(name).like(&gradient);
    let [one, other] = ["x1", "x2"].map(|name| same(name).shaped(gradient.shape()));
    let gamma = same("gamma")?;
    let size = normalised(&gradient, "gamma", gamma.shape())?;
    let rows = gradient.elements() / size.max(1);
    let [mean, factor] =
        ["mean", "rstd"].map(|name| figures(call.input(name).of(types!(f32))?, rows));
    let of_sum = match call.optional_input("dsumOptional")? {
        Some(of_sum) => Some(of_sum.like(&gradient)?.shaped(gradient.shape())?),
        None => None,
    };
    let out = call.output("dxOut").like(&gradient)?;
    let by_row = |name| call.output(name).of(types!(f32)).shaped(gamma.shape());
    let inputs = [
        Some(gradient),
        Some(one?),
        Some(other?),
        Some(gamma),
        Some(mean?),
        Some(factor?),
        of_sum,
    ];
    let outs = [
        Some(out.shaped(gradient.shape())?),
        Some(by_row("dbetaOut")?),
        Some(by_row("dgammaOut")?),
    ];
    let mut computed = Computed::new(&inputs, &outs, deeply_normalised);
    computed.sizes = [size, 0, 0, 0, 0, 0];
    computed.numbers = [1.0, 0.0, 0.0];
    computed.plan(call)
}
