//! Gradients along a dimension, over the last dimensions, and of a table of rows. `masked` has those by several operands.

use ascendcl_sys::{ACL_DOUBLE, ACL_FLOAT};

use super::computed::{Computed, Numbers};
use super::definitions;
use super::weighted::{fill_singles, store};
use crate::op::call::{Call, Input};
use crate::op::dtype::{FLOATING, SINGLE, Types, types};
use crate::op::f32_math;
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::real::Real;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, Split, at, count, dimension, put};
use crate::op::shape::MAX_RANK;
use crate::op::short_rows::short_total;
use crate::op::sums::{add, line_sums, product};
use crate::wide::wide;

definitions! {
    aclnnSoftmaxBackward = |call: &Call| softmax(call, false);
    aclnnLogSoftmaxBackward = |call: &Call| softmax(call, true);
    aclnnGluBackward = |call: &Call| gate(call, ["gradOut", "self"], FLOATING, false);
    aclnnSwiGluGrad = |call: &Call| gate(call, ["yGrad", "x"], SINGLE, true);
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
    let mut computed = Computed::new(&[Some(gradient), Some(output)], &[Some(out)], softened);
    computed.is_filled = true;
    computed.sizes = [split.size, split.inner, usize::from(is_logarithm), 0, 0, 0];
    computed.plan(call)
}

wide! {
    fn softened(computed: &Computed<f32>, numbers: Numbers<'_, f32>) {
        let [size, inner, is_logarithm, ..] = computed.sizes;
        let [gradients, outputs, ..] = numbers.inputs;
        let [results, ..] = numbers.outs;
        let is_logarithm = is_logarithm > 0;
        let slope = |gradient: f32, output: f32, sum: f64| {
            // CAST: rounded.
            let sum = sum as f32;
            if is_logarithm {
                (-f32_math::exp(output)).mul_add(sum, gradient)
            } else {
                (gradient - sum) * output
            }
        };
        let block = (size * inner).max(1);
        let blocks = gradients.chunks(block).zip(outputs.chunks(block));
        let mut sums = vec![0.0; inner];
        for ((gradients, outputs), results) in blocks.zip(results.chunks_mut(block)) {
            if inner == 1 {
                let sum = if is_logarithm { short_total(gradients) } else { product(gradients, outputs) };
                for (result, (gradient, output)) in results.iter_mut().zip(gradients.iter().zip(outputs)) {
                    *result = slope(*gradient, *output, sum);
                }
                continue;
            }
            sums.fill(0.0);
            for (gradients, outputs) in gradients.chunks(inner).zip(outputs.chunks(inner)) {
                for (sum, (gradient, output)) in sums.iter_mut().zip(gradients.iter().zip(outputs)) {
                    let weight = if is_logarithm { 1.0 } else { f64::from(*output) };
                    *sum += f64::from(*gradient) * weight;
                }
            }
            let rows = gradients.chunks(inner).zip(outputs.chunks(inner));
            for ((gradients, outputs), results) in rows.zip(results.chunks_mut(inner)) {
                let pairs = gradients.iter().zip(outputs).zip(&sums);
                for (result, ((gradient, output), sum)) in results.iter_mut().zip(pairs) {
                    *result = slope(*gradient, *output, *sum);
                }
            }
        }
    }
}

/// The gradient of a product in which one half of a dimension opens the other one: `(gradient, operand, dim, out)`
fn gate(
    call: &Call,
    [gradient, operand]: [&'static str; 2],
    types: Types,
    is_swish: bool,
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
    let sizes = [
        split.size / 2 * split.inner,
        usize::from(is_swish),
        0,
        0,
        0,
        0,
    ];
    let inputs = [Some(gradient), Some(input)];
    if input.dtype() == ACL_DOUBLE {
        let mut computed = Computed::new(&inputs, &[Some(out)], opened::<f64>);
        computed.sizes = sizes;
        return computed.plan(call);
    }
    let mut computed = Computed::new(&inputs, &[Some(out)], opened_singles);
    computed.sizes = sizes;
    computed.plan(call)
}

wide! {
    fn opened_singles(computed: &Computed<f32>, numbers: Numbers<'_, f32>) {
        opened(computed, numbers);
    }
}

/// The gradients of both halves: the second one opens the first one, or the first one with SiLU the second one.
#[inline(always)]
fn opened<W: Real>(computed: &Computed<W>, numbers: Numbers<'_, W>) {
    let [half, is_swish, ..] = computed.sizes;
    let [gradients, elements, ..] = numbers.inputs;
    let [results, ..] = numbers.outs;
    let one = W::real(1.0);
    let rows = elements
        .chunks((2 * half).max(1))
        .zip(results.chunks_mut((2 * half).max(1)));
    for ((row, results), gradients) in rows.zip(gradients.chunks(half.max(1))) {
        let (first, second) = row.split_at_checked(half).unwrap_or_default();
        let (to_first, to_second) = results.split_at_mut_checked(half).unwrap_or_default();
        let pairs = first.iter().zip(second).zip(gradients);
        let places = to_first.iter_mut().zip(to_second);
        for ((to_first, to_second), ((first, second), gradient)) in places.zip(pairs) {
            if is_swish > 0 {
                let open = first.sigmoid();
                *to_first = *gradient * *second * open * (one + *first * (one - open));
                *to_second = *gradient * *first * open;
            } else {
                let open = second.sigmoid();
                *to_first = *gradient * open;
                *to_second = *gradient * *first * open * (one - open);
            }
        }
    }
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

/// A row of normalised numbers and of gradients times weights, which the kernels of norms fill, and the gradients of weights and of a
/// bias. Those of a few rows are added in single precision before.
pub(super) struct Slopes {
    pub(super) normal: Vec<f32>,
    pub(super) weighted: Vec<f32>,
    /// The gradients of weights and of a bias, in all and by the last rows.
    sums: [Vec<f64>; 2],
    parts: [Vec<f32>; 2],
    rows: usize,
}

/// The number of rows whose gradients are added in single precision, if no term is larger than [`LARGE`].
const ROWS: usize = 16;
const LARGE: f32 = f32::MAX / (2 * ROWS) as f32;

/// Adds the terms of a row in double precision.
#[cold]
#[inline(never)]
fn add_wide(slopes: &mut Slopes) {
    let [of_weight, of_bias] = &mut slopes.sums;
    let pairs = slopes.weighted.iter().zip(&slopes.normal);
    for ((sum, other), (gradient, normal)) in of_weight.iter_mut().zip(of_bias).zip(pairs) {
        *sum += f64::from(*gradient) * f64::from(*normal);
        *other += f64::from(*gradient);
    }
}

impl Slopes {
    pub(super) fn new(len: usize) -> Self {
        let row = || vec![0.0; len];
        Self {
            normal: row(),
            weighted: row(),
            sums: [vec![0.0; len], vec![0.0; len]],
            parts: [row(), row()],
            rows: 0,
        }
    }

    /// Returns the gradients of weights and of a bias.
    pub(super) fn sums(&mut self) -> &[Vec<f64>; 2] {
        for (sums, parts) in self.sums.iter_mut().zip(&mut self.parts) {
            add(sums, parts);
            parts.fill(0.0);
        }
        self.rows = 0;
        &self.sums
    }
}

wide! {
    /// Fills a row with `(row - mean) * r` and with gradients.
    pub(super) fn fill(slopes: &mut Slopes, rows: [&[f32]; 2], numbers: [f64; 2]) {
        let ([row, gradients], [mean, r]) = (rows, numbers);
        // CAST: rounded. The offset has what the rounding of the mean adds.
        let (near, single) = (mean as f32, r as f32);
        let offset = ((f64::from(near) - mean) * r) as f32;
        for (normal, one) in slopes.normal.iter_mut().zip(row) {
            *normal = (one - near).mul_add(single, offset);
        }
        for (weighted, gradient) in slopes.weighted.iter_mut().zip(gradients) {
            *weighted = *gradient;
        }
    }

    /// Adds the terms of the gradients of weights and of a bias, and multiplies the gradients of a row by the weights, if there are
    /// any.
    pub(super) fn weigh(slopes: &mut Slopes, weights: &[f32]) {
        let mut are_large = 0;
        for (gradient, normal) in slopes.weighted.iter().zip(&slopes.normal) {
            let term = gradient * normal;
            are_large |= u32::from(gradient.abs() > LARGE) | u32::from(term.abs() > LARGE);
        }
        if are_large > 0 {
            add_wide(slopes);
        } else {
            let [of_weight, of_bias] = &mut slopes.parts;
            let pairs = slopes.weighted.iter().zip(&slopes.normal);
            for ((sum, other), (gradient, normal)) in of_weight.iter_mut().zip(of_bias).zip(pairs) {
                *sum = gradient.mul_add(*normal, *sum);
                *other += *gradient;
            }
        }
        for (weighted, weight) in slopes.weighted.iter_mut().zip(weights) {
            *weighted *= *weight;
        }
        slopes.rows += 1;
        if slopes.rows == ROWS {
            let _ = slopes.sums();
        }
    }

    /// Stores the gradients of the operand: `r * (g * w - mean(g * w) - x * mean(g * w * x))`, without the first mean if the mean was
    /// not taken away.
    pub(super) fn row_gradients(slopes: &Slopes, r: f64, is_centered: bool, results: &mut [f32]) {
        // CAST: a number of elements, which is exact.
        let count = slopes.normal.len() as f64;
        let [sum, along] = line_sums(&slopes.weighted, &slopes.normal, 0.0);
        let mean = if is_centered { sum / count } else { 0.0 };
        // CAST: rounded.
        let (mean, along, single) = (mean as f32, (along / count) as f32, r as f32);
        let pairs = slopes.normal.iter().zip(&slopes.weighted);
        for (result, (normal, weighted)) in results.iter_mut().zip(pairs) {
            *result = single * (-normal).mul_add(along, weighted - mean);
        }
    }
}

/// `aclnnRmsNormGrad(dy, x, rstd, gamma, dxOut, dgammaOut)`
fn rms_norm(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("dy").of(SINGLE)?;
    let input = call.input("x").like(&gradient).shaped(gradient.shape())?;
    let gamma = call.input("gamma").of(SINGLE)?;
    if gamma.dtype() != ACL_FLOAT {
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
    let inputs = [Some(gradient), Some(input), Some(r), Some(gamma)];
    let mut computed = Computed::new(&inputs, &[Some(out), Some(of_gamma)], rooted);
    computed.is_filled = true;
    computed.sizes = [columns, 0, 0, 0, 0, 0];
    computed.plan(call)
}

fn rooted(computed: &Computed<f32>, numbers: Numbers<'_, f32>) {
    let [columns, ..] = computed.sizes;
    let [gradients, elements, factors, weights, ..] = numbers.inputs;
    let [results, of_gamma, ..] = numbers.outs;
    let mut slopes = Slopes::new(columns);
    let rows = elements.chunks(columns).zip(gradients.chunks(columns));
    for ((row, results), r) in rows.zip(results.chunks_mut(columns)).zip(factors) {
        let r = f64::from(*r);
        fill(&mut slopes, row.into(), [0.0, r]);
        weigh(&mut slopes, weights);
        row_gradients(&slopes, r, false, results);
    }
    computed.store(1, of_gamma, &slopes.sums()[0]);
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
        let gradients = views.input(&gradient);
        // SAFETY: the kernel writes the output below, after the last use of these elements.
        let gradients = unsafe { gradients.numbers::<f32>() };
        let mut groups = Vec::new();
        for (row, index) in views.input(&indices).all::<Whole>().into_iter().enumerate() {
            if let Some(place) = views.below_in(&indices, index, rows) {
                groups.push((place, row));
            }
        }
        // The gradients of one index are added up before another one has its turn, so that a row is rounded once.
        groups.sort_unstable();
        let (mut sums, are_halves) = (vec![0.0; width], out.dtype() != ACL_FLOAT);
        fill_singles(views, &out, &[gradient.slot, indices.slot], |results| {
            results.fill(0.0);
            for group in groups.chunk_by(|one, other| one.0 == other.0) {
                let (place, _) = at(group, 0);
                // CAST: an index of a row.
                if place as i64 == padding {
                    continue;
                }
                sums.fill(0.0);
                for (_, row) in group {
                    let row = gradients.get(row * width..(row + 1) * width);
                    add(&mut sums, row.unwrap_or_default());
                }
                // CAST: a number of rows, which is exact.
                let count = if is_scaled { group.len() as f64 } else { 1.0 };
                sums.iter_mut().for_each(|one| *one /= count);
                let results = results.get_mut(place * width..(place + 1) * width);
                store(results.unwrap_or_default(), &sums, are_halves);
            }
        });
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

wide! {
    fn gated(computed: &Computed<f32>, numbers: Numbers<'_, f32>) {
        let [half, approximate, is_left, ..] = computed.sizes;
        let [elements, gradients, gelus, ..] = numbers.inputs;
        let [results, ..] = numbers.outs;
        let half = half.max(1);
        let rows = elements.chunks(2 * half).zip(results.chunks_mut(2 * half));
        let given = gradients.chunks(half).zip(gelus.chunks(half));
        for ((row, results), (gradients, gelus)) in rows.zip(given) {
            let (left, right) = row.split_at_checked(half).unwrap_or_default();
            let (to_left, to_right) = results.split_at_mut_checked(half).unwrap_or_default();
            let (active, other, to_active, to_other) = if is_left > 0 {
                (left, right, to_left, to_right)
            } else {
                (right, left, to_right, to_left)
            };
            for (to, (gradient, gelu)) in to_other.iter_mut().zip(gradients.iter().zip(gelus)) {
                *to = gradient * gelu;
            }
            let pairs = active.iter().zip(other).zip(gradients);
            for (to, ((active, other), gradient)) in to_active.iter_mut().zip(pairs) {
                *to = gradient * other * gelu_slope(*active, approximate > 0);
            }
        }
    }
}

/// Returns the slope of the GELU.
#[inline(always)]
fn gelu_slope(x: f32, is_approximate: bool) -> f32 {
    if !is_approximate {
        let density = f32_math::exp(-0.5 * x * x) * 0.398_942_3;
        return x.mul_add(
            density,
            0.5 * (1.0 + f32_math::erf(x * core::f32::consts::FRAC_1_SQRT_2)),
        );
    }
    const FACTOR: f32 = 0.797_884_6;
    let tangent = f32_math::tanh(FACTOR * (x + 0.044_715 * x * x * x));
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
    computed.is_filled = true;
    computed.sizes = [size, 0, 0, 0, 0, 0];
    computed.numbers = [call.floating("alpha")?, 0.0, 0.0];
    computed.plan(call)
}

wide! {
    /// The slopes of `(alpha * x + gx - mean) * factor * gamma + beta`, plus those of the sum itself.
    fn deeply_normalised(computed: &Computed<f32>, numbers: Numbers<'_, f32>) {
        let [size, ..] = computed.sizes;
        // CAST: the operator got single precision.
        let alpha = computed.numbers[0] as f32;
        let [gradients, x, gx, weights, means, factors, of_sum, ..] = numbers.inputs;
        let [of_x, of_beta, of_gamma, of_gx, ..] = numbers.outs;
        let (mut slopes, mut sum) = (Slopes::new(size), vec![0.0; size]);
        for (row, (mean, factor)) in means.iter().zip(factors).enumerate() {
            let places = row * size..(row + 1) * size;
            let rows = [gradients, x, gx, of_sum].map(|of| of.get(places.clone()).unwrap_or_default());
            let [gradients, x, gx, of_sum] = rows;
            for (sum, (one, other)) in sum.iter_mut().zip(x.iter().zip(gx)) {
                *sum = alpha.mul_add(*one, *other);
            }
            fill(&mut slopes, [&sum, gradients], [*mean, *factor].map(f64::from));
            weigh(&mut slopes, weights);
            row_gradients(&slopes, f64::from(*factor), true, &mut sum);
            for (slope, one) in sum.iter_mut().zip(of_sum) {
                *slope += *one;
            }
            let of_x = of_x.get_mut(places.clone()).unwrap_or_default();
            for (result, slope) in of_x.iter_mut().zip(&sum) {
                *result = alpha * slope;
            }
            for (result, slope) in of_gx.get_mut(places).unwrap_or_default().iter_mut().zip(&sum) {
                *result = *slope;
            }
        }
        let [gammas, betas] = slopes.sums();
        computed.store(2, of_gamma, gammas);
        computed.store(1, of_beta, betas);
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
    computed.is_filled = true;
    computed.sizes = [size, 0, 0, 0, 0, 0];
    computed.numbers = [1.0, 0.0, 0.0];
    computed.plan(call)
}

#[cfg(test)]
mod tests {
    use super::{Slopes, fill, weigh};

    #[test]
    fn gradients_of_a_bias_keep_the_range_of_their_terms() {
        let mut slopes = Slopes::new(1);
        for gradient in [3e38_f32, 3e38, 1.0, -3e38, -3e38] {
            fill(&mut slopes, [&[1.0], &[gradient]], [0.0, 1.0]);
            weigh(&mut slopes, &[]);
        }
        assert_eq!(slopes.sums(), &[vec![1.0], vec![1.0]]);
    }
}
