//! Softmax and normalization of rows in single precision. Sums are in double precision, or begin with short sums in single
//! precision. `short_rows` has what is shorter for results of half precision.
//!
//! Softmax and norms are computed for a few rows together, step by step. The processor then begins with the next row while it
//! waits for the sum of the one before.

use super::f32_math;
use super::lines::{CHUNK, Line};
use super::real::Real;
use super::rows::ROWS;
use super::sums::{BLOCK, joined_parts, largest, moments, short_moments, sum};
use crate::wide::wide;

/// The number of sums in single precision that [`replace`] makes at the same time: two vectors. With more of them the factors
/// of a power would not stay in registers.
const SUMS: usize = 16;

/// Replaces numbers by a function of them, and returns the sum of the results.
#[inline(always)]
pub(super) fn replace(row: &mut [f32], function: impl Fn(f32) -> f32) -> f64 {
    let mut total = 0.0;
    let (whole, rest) = row.as_chunks_mut::<SUMS>();
    for block in whole.chunks_mut(BLOCK) {
        let mut parts = [0.0; SUMS];
        for chunk in block {
            for (part, one) in parts.iter_mut().zip(chunk) {
                *one = function(*one);
                *part += *one;
            }
        }
        total += joined_parts(&{ parts });
    }
    if rest.is_empty() {
        return total;
    }
    let mut parts = [0.0; SUMS];
    for (part, one) in parts.iter_mut().zip(rest) {
        *one = function(*one);
        *part = *one;
    }
    total + joined_parts(&{ parts })
}

/// The number of numbers in a vector of 256 bits.
const VECTOR: usize = 8;

/// Stores a function of the numbers of a row in its room, and returns the sum of the results, which is that of [`replace`].
#[inline(always)]
fn transfer(line: &mut Line<'_>, function: impl Fn(f32) -> f32) -> f64 {
    const { assert!(SUMS == CHUNK) };
    let mut total = 0.0;
    let (whole, rest) = line.from.as_chunks::<SUMS>();
    let (places, last) = line.room.as_chunks_mut::<SUMS>();
    for (block, places) in whole.chunks(BLOCK).zip(places.chunks_mut(BLOCK)) {
        let mut parts = [0.0; SUMS];
        for (chunk, place) in block.iter().zip(places) {
            line.ahead.next();
            // A vector at a time: more of them do not fit the registers beside the factors of a power.
            let vectors = chunk.as_chunks::<VECTOR>().0.iter();
            let places = place.as_chunks_mut::<VECTOR>().0.iter_mut();
            let parts = parts.as_chunks_mut::<VECTOR>().0.iter_mut();
            for ((vector, place), parts) in vectors.zip(places).zip(parts) {
                let results = vector.map(&function);
                for (part, one) in parts.iter_mut().zip(&results) {
                    *part += *one;
                }
                *place = results;
            }
        }
        total += joined_parts(&{ parts });
    }
    if rest.is_empty() {
        return total;
    }
    let mut parts = [0.0; SUMS];
    for ((part, one), place) in parts.iter_mut().zip(rest).zip(last) {
        *place = function(*one);
        *part = *place;
    }
    total + joined_parts(&{ parts })
}

/// Returns a number as the sum of two numbers in single precision.
#[inline(always)]
fn halved(number: f64) -> (f32, f32) {
    // CAST: rounded. The second number is what the first one lacks.
    let most = number as f32;
    (most, (number - f64::from(most)) as f32)
}

wide! {
    /// Stores the softmax of rows, which have room for it. A NaN makes a whole row NaN.
    pub(super) fn softmaxes(lines: &mut [Line<'_>]) {
        let mut factors = [0.0; ROWS];
        for (line, factor) in lines.iter().zip(&mut factors) {
            *factor = largest(line.from);
        }
        for (line, factor) in lines.iter_mut().zip(&mut factors) {
            let most = *factor;
            let sum = transfer(line, |one| f32_math::exp_to_one(one - most));
            // CAST: rounded. The sum is at least one of its terms, which is 2^24.
            *factor = (1.0 / sum) as f32;
        }
        for (line, factor) in lines.iter_mut().zip(factors) {
            line.store_room(|one| one * factor);
        }
    }

    /// Subtracts a number from those of a row, multiplies them by a factor and adds another one.
    pub(super) fn shifted(line: &mut Line<'_>, numbers: [f64; 3]) {
        let [less, factor, more] = numbers;
        // CAST: rounded to single precision. The offset belongs to the rounded factor.
        let single = factor as f32;
        let (most, rest) = halved(more - less * f64::from(single));
        let is_single = single.is_normal() && most.is_finite();
        // CAST: rounded. Numbers near one so large that the offset is infinite keep all digits of their difference.
        let (less, more) = (less as f32, more as f32);
        // A loop for each case: with both in one, each number is computed in both ways.
        if is_single {
            line.store([line.from; 2], |one, _, _| one.mul_add(single, most) + rest);
        } else {
            line.store([line.from; 2], |one, _, _| (one - less).mul_add(single, more));
        }
    }

    #[cfg(feature = "training")]
    /// Replaces logarithms by the differences of their numbers to others.
    pub(super) fn differences(row: &mut [f32], others: &[f32]) {
        for (one, other) in row.iter_mut().zip(others) {
            *one = f32_math::exp(*one) - other;
        }
    }

    /// Stores the products of the SiLU of gates and other numbers.
    pub(super) fn gated(results: &mut [f32], gates: &[f32], others: &[f32]) {
        for (result, (gate, other)) in results.iter_mut().zip(gates.iter().zip(others)) {
            *result = f32_math::silu(*gate) * other;
        }
    }

    /// Stores the products of numbers and their normal distribution, or nearly those, with the hyperbolic tangent.
    pub(super) fn gelus(results: &mut [f32], numbers: &[f32], is_tanh: bool) {
        let pairs = results.iter_mut().zip(numbers);
        // A loop for each function: with both in one, each number gets both.
        if is_tanh {
            for (result, one) in pairs {
                *result = f32_math::gelu_tanh(*one);
            }
        } else {
            for (result, one) in pairs {
                *result = Real::gelu(*one);
            }
        }
    }

    /// Replaces columns by their softmax or its logarithm. A row has so many numbers. A NaN makes a whole column NaN.
    pub(super) fn soften_columns(rows: &mut [f32], width: usize, is_logarithm: bool) {
        let mut most = vec![f32::NEG_INFINITY; width];
        for row in rows.chunks_exact(width) {
            for (most, one) in most.iter_mut().zip(row) {
                *most = if *one > *most { *one } else { *most };
            }
        }
        let mut sums = vec![0.0_f64; width];
        for row in rows.chunks_exact_mut(width) {
            for (one, most) in row.iter_mut().zip(&most) {
                *one -= most;
                if !is_logarithm {
                    *one = f32_math::exp_to_one(*one);
                }
            }
            for (sum, one) in sums.iter_mut().zip(&*row) {
                *sum += f64::from(if is_logarithm { f32_math::exp(*one) } else { *one });
            }
        }
        for (factor, sum) in most.iter_mut().zip(&sums) {
            // CAST: rounded, as in the functions for rows.
            *factor = if is_logarithm { sum.ln() as f32 } else { (1.0 / sum) as f32 };
        }
        for row in rows.chunks_exact_mut(width) {
            for (one, factor) in row.iter_mut().zip(&most) {
                *one = if is_logarithm { *one - factor } else { *one * factor };
            }
        }
    }

    /// Replaces numbers by the exponentials of their differences to `most`, and returns the sum.
    pub(super) fn powers(row: &mut [f32], most: f32) -> f64 {
        replace(row, |one| f32_math::exp(one - most))
    }

    /// Stores the logarithms of the softmax of rows. A NaN makes a whole row NaN.
    pub(super) fn softmax_logarithms(lines: &mut [Line<'_>]) {
        for line in lines {
            let most = largest(line.from);
            let sum = sum(line.from, || line.ahead.next(), |one| f32_math::exp(one - most));
            // CAST: rounded. Neither number that is subtracted from 0 is negative, so the roundings stay small.
            let logarithm = sum.ln() as f32;
            line.store([line.from; 2], |one, _, _| (one - most) - logarithm);
        }
    }

    /// Normalizes rows by their mean and variance, multiplies them by weights, adds a bias, and stores the mean and the
    /// reciprocal deviation of each row. Without weights or bias the slice is empty.
    pub(super) fn layers(
        lines: &mut [Line<'_>],
        epsilon: f64,
        weight: &[f32],
        bias: &[f32],
        moments: &mut [(f64, f64); ROWS],
    ) {
        for (line, moments) in lines.iter_mut().zip(&mut *moments) {
            *moments = mean_and_deviation(line, epsilon);
        }
        for (line, (mean, deviation)) in lines.iter_mut().zip(moments) {
            normalize(line, *mean, *deviation, weight, bias);
        }
    }

    /// Divides rows by the root of their mean square, multiplies them by weights, and stores the factor of each row.
    pub(super) fn roots(
        lines: &mut [Line<'_>],
        epsilon: f64,
        weight: &[f32],
        factors: &mut [f64; ROWS],
    ) {
        for (line, factor) in lines.iter_mut().zip(&mut *factors) {
            let (_, squares) = moments(line.from, 0.0, &mut line.ahead);
            // CAST: a number of elements, which is exact.
            let mean = squares / line.from.len() as f64;
            *factor = 1.0 / (mean + epsilon).sqrt();
        }
        for (line, factor) in lines.iter_mut().zip(factors) {
            // CAST: rounded to single precision, also in the other case.
            let single = *factor as f32;
            if single.is_normal() {
                weighted(line, |one| one * single, weight);
            } else {
                weighted(line, |one| (f64::from(one) * *factor) as f32, weight);
            }
        }
    }

}

/// The least mean of squares, and the largest sum of them, that single precision has with all bits.
const LEAST_SQUARE: f64 = 1e-24;
const MOST_SQUARES: f64 = 1e37;

/// Returns the mean of a row and its reciprocal deviation.
#[inline(always)]
fn mean_and_deviation(line: &mut Line<'_>, epsilon: f64) -> (f64, f64) {
    // CAST: a number of elements, which is exact.
    let count = line.from.len() as f64;
    // Differences to a number near the mean lose nothing where the mean is large beside the deviation.
    // CAST: rounded, since any number near the mean is as good.
    let near = (short_moments(line.from, 0.0, &mut line.ahead).0 / count) as f32;
    let (mut sum, mut squares) = short_moments(line.from, near, &mut line.ahead);
    let mut origin = f64::from(near);
    if !(count * LEAST_SQUARE..MOST_SQUARES).contains(&squares) {
        origin = line.from.first().copied().map_or(0.0, f64::from);
        (sum, squares) = moments(line.from, origin, &mut line.ahead);
    }
    let offset = sum / count;
    let variance = squares / count - offset * offset;
    // A NaN stays.
    let variance = if variance < 0.0 { 0.0 } else { variance };
    (origin + offset, 1.0 / (variance + epsilon).sqrt())
}

/// Subtracts a mean from numbers, multiplies them by a factor and by weights, and adds a bias. An empty slice stands for
/// none.
#[inline(always)]
fn normalize(line: &mut Line<'_>, mean: f64, factor: f64, weight: &[f32], bias: &[f32]) {
    // CAST: rounded to single precision. The offset belongs to the rounded factor.
    let single = factor as f32;
    let (most, rest) = halved(-mean * f64::from(single));
    if single.is_normal() && most.is_finite() {
        affine(line, |one| one.mul_add(single, most) + rest, weight, bias);
    } else {
        // CAST: rounded to single precision.
        let scaled = |one: f32| ((f64::from(one) - mean) * factor) as f32;
        affine(line, scaled, weight, bias);
    }
}

/// Stores a function of numbers, times a weight. An empty slice stands for none.
#[inline(always)]
fn weighted(line: &mut Line<'_>, function: impl Fn(f32) -> f32, weight: &[f32]) {
    let from = line.from;
    match weight {
        [] => line.store([from; 2], |one, _, _| function(one)),
        weight => line.store([weight, from], |one, weight, _| function(one) * weight),
    }
}

/// Stores a function of numbers, times a weight, plus a bias. An empty slice stands for none.
#[inline(always)]
fn affine(line: &mut Line<'_>, function: impl Fn(f32) -> f32, weight: &[f32], bias: &[f32]) {
    if weight.is_empty() && bias.is_empty() {
        return line.store([line.from; 2], |one, _, _| function(one));
    }
    // A product with 1, and a sum with a negative 0, change no bit.
    let rest =
        |given: &[f32], number| vec![number; if given.is_empty() { line.from.len() } else { 0 }];
    let (ones, zeros) = (rest(weight, 1.0), rest(bias, -0.0));
    let weight = if weight.is_empty() { &ones } else { weight };
    let bias = if bias.is_empty() { &zeros } else { bias };
    line.store([weight, bias], |one, weight, bias| {
        function(one).mul_add(weight, bias)
    });
}

/// Replaces numbers by a function of them, times a weight, plus a bias. An empty slice stands for none.
#[inline(always)]
pub(super) fn affine_row(
    row: &mut [f32],
    function: impl Fn(f32) -> f32,
    weight: &[f32],
    bias: &[f32],
) {
    match (weight, bias) {
        ([], []) => {
            for one in row {
                *one = function(*one);
            }
        }
        (weight, []) => {
            for (one, weight) in row.iter_mut().zip(weight) {
                *one = function(*one) * weight;
            }
        }
        ([], bias) => {
            for (one, bias) in row.iter_mut().zip(bias) {
                *one = function(*one) + bias;
            }
        }
        (weight, bias) => {
            for ((one, weight), bias) in row.iter_mut().zip(weight).zip(bias) {
                *one = function(*one).mul_add(*weight, *bias);
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Rows of many lengths: numbers of either sign, a large mean beside the deviation, and the extremes of the type.
    pub(in super::super) fn rows() -> Vec<Vec<f32>> {
        let noise = |index: usize| {
            // CAST: 24 bits, which are exact.
            (index.wrapping_mul(0x9e37_79b9) >> 7 & 0x00ff_ffff) as f32 / 16_777_216.0 - 0.5
        };
        let of = |len: usize, number: fn(f32) -> f32| (0..len).map(noise).map(number).collect();
        let mut rows = Vec::new();
        for len in [1, 2, 7, 15, 16, 17, 33, 100, 1000, 4099] {
            rows.push(of(len, |one| 20.0 * one));
            rows.push(of(len, |one| 1e6 + one));
            rows.push(of(len, |one| 1000.0 + 2.0 * one));
            rows.push(of(len, |one| one * 1e-20));
            rows.push(of(len, |one| one * 1e38));
            rows.push(of(len, |one| 2.0 * (one * 3e38)));
            rows.push(of(len, |one| one * 1e-40));
            rows.push(of(len, |one| if one > 0.2 { f32::MAX } else { one }));
        }
        rows
    }

    /// Compares with numbers of double precision: the error is below `most` times the larger one of a number and 1.
    pub(in super::super) fn near(got: &[f32], expected: impl Iterator<Item = f64>, most: f64) {
        for (index, (got, expected)) in got.iter().zip(expected).enumerate() {
            let error = (f64::from(*got) - expected).abs();
            // CAST: rounded; too large a number is infinite.
            let is_same = *got == expected as f32 || (got.is_nan() && expected.is_nan());
            assert!(
                is_same || error <= most * expected.abs().max(1.0),
                "{got:e} instead of {expected:e} at {index}"
            );
        }
    }

    /// Returns the results of a kernel for a row alone.
    pub(in super::super) fn alone(row: &[f32], compute: impl FnOnce(&mut [Line<'_>])) -> Vec<f32> {
        let (mut results, mut room) = (vec![f32::NAN; row.len()], vec![0.0; row.len()]);
        compute(&mut [Line::new(row, &mut results).with_room(&mut room)]);
        results
    }

    /// Returns a normalized row, its mean and its reciprocal deviation.
    pub(in super::super) fn layer(
        row: &[f32],
        epsilon: f64,
        weight: &[f32],
        bias: &[f32],
    ) -> (Vec<f32>, (f64, f64)) {
        let mut moments = [(0.0, 0.0); ROWS];
        let results = alone(row, |lines| {
            layers(lines, epsilon, weight, bias, &mut moments)
        });
        (results, moments[0])
    }

    /// Returns a row divided by the root of its mean square, and the factor.
    pub(in super::super) fn root(row: &[f32], epsilon: f64, weight: &[f32]) -> (Vec<f32>, f64) {
        let mut factors = [0.0; ROWS];
        let results = alone(row, |lines| roots(lines, epsilon, weight, &mut factors));
        (results, factors[0])
    }

    /// The unit of the rounding of numbers around 1.
    const UNIT: f64 = 1.2e-7;

    #[test]
    fn softmax_is_within_three_units() {
        for row in rows() {
            let double = || row.iter().copied().map(f64::from);
            let most = double().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = double().map(|one| (one - most).exp()).sum();
            let got = alone(&row, softmaxes);
            for (got, one) in got.iter().zip(double()) {
                let expected = (one - most).exp() / sum;
                let error = (f64::from(*got) - expected).abs();
                // The difference of two numbers is rounded before.
                let rounded = expected * (one - most).abs() * UNIT;
                assert!(
                    error <= 3.0 * UNIT * expected + rounded + 1e-44,
                    "{got:e} {expected:e}"
                );
            }
            let got = alone(&row, softmax_logarithms);
            near(&got, double().map(|one| one - most - sum.ln()), 2.0 * UNIT);
        }
    }

    #[test]
    fn normalized_numbers_are_within_three_units() {
        for row in rows() {
            let double = || row.iter().copied().map(f64::from);
            let count = row.len() as f64;
            let mean = double().sum::<f64>() / count;
            let variance = double().map(|one| (one - mean).powi(2)).sum::<f64>() / count;
            for epsilon in [0.0, 1e-5] {
                let deviation = 1.0 / (variance + epsilon).sqrt();
                let (got, (got_mean, got_deviation)) = layer(&row, epsilon, &[], &[]);
                assert!(
                    (got_mean - mean).abs() <= UNIT * variance.sqrt() + 1e-12 * mean.abs(),
                    "{got_mean} {mean}"
                );
                let is_same = got_deviation == deviation;
                assert!(
                    is_same || (got_deviation - deviation).abs() <= UNIT * deviation,
                    "{got_deviation} {deviation}"
                );
                near(
                    &got,
                    double().map(|one| (one - mean) * deviation),
                    3.0 * UNIT,
                );
                let (weight, bias) = (vec![3.0; row.len()], vec![-5.0; row.len()]);
                let (got, _) = layer(&row, epsilon, &weight, &bias);
                let expected = double().map(|one| (one - mean) * deviation * 3.0 - 5.0);
                near(&got, expected, 12.0 * UNIT);
                let factor =
                    1.0 / (double().map(|one| one * one).sum::<f64>() / count + epsilon).sqrt();
                let (got, got_factor) = root(&row, epsilon, &weight);
                assert!(
                    (got_factor - factor).abs() <= 1e-12 * factor,
                    "{got_factor} {factor}"
                );
                near(&got, double().map(|one| one * factor * 3.0), 3.0 * UNIT);
            }
        }
    }

    /// The rows of a group have the results that they have alone, whatever the rows beside them are.
    #[test]
    fn rows_of_a_group_are_computed_on_their_own() {
        let bits = |row: &[f32]| row.iter().map(|one| one.to_bits()).collect::<Vec<_>>();
        let kernels: [fn(&mut [Line<'_>]); 4] = [
            softmaxes,
            softmax_logarithms,
            |lines| layers(lines, 1e-5, &[], &[], &mut [(0.0, 0.0); ROWS]),
            |lines| roots(lines, 1e-5, &[], &mut [0.0; ROWS]),
        ];
        let all = rows();
        for compute in kernels {
            // Rows of one length follow each other.
            for pair in all.windows(ROWS) {
                let [row, other] = pair else { continue };
                if row.len() != other.len() {
                    continue;
                }
                let len = row.len();
                let (mut first, mut second) = (vec![0.0; len], vec![0.0; len]);
                let (mut room, mut other_room) = (vec![0.0; len], vec![0.0; len]);
                compute(&mut [
                    Line::new(row, &mut first).with_room(&mut room),
                    Line::new(other, &mut second).with_room(&mut other_room),
                ]);
                assert_eq!(bits(&first), bits(&alone(row, compute)));
                assert_eq!(bits(&second), bits(&alone(other, compute)));
            }
        }
    }

    #[test]
    fn one_number_that_is_none_makes_all_nan() {
        for len in [1, 16, 37] {
            for place in [0, len / 2, len - 1] {
                let mut row: Vec<f32> = (0..len).map(|one| one as f32).collect();
                for one in row.iter_mut().skip(place).take(1) {
                    *one = f32::NAN;
                }
                let results = [
                    alone(&row, softmaxes),
                    alone(&row, softmax_logarithms),
                    layer(&row, 1e-5, &[], &[]).0,
                    root(&row, 1e-5, &[]).0,
                ];
                for results in results {
                    assert!(results.iter().all(|one| one.is_nan()), "{results:?}");
                }
            }
        }
    }

    #[test]
    fn infinities_are_as_in_the_formulas() {
        assert_eq!(
            alone(&[f32::NEG_INFINITY, 0.0, 0.0], softmaxes),
            [0.0, 0.5, 0.5]
        );
        let row = [f32::NEG_INFINITY, 0.0];
        assert_eq!(alone(&row, softmax_logarithms), row);
        for first in [f32::INFINITY, f32::NEG_INFINITY] {
            let row = alone(&[first; 3], softmaxes);
            assert!(row.iter().all(|one| one.is_nan()), "{row:?}");
        }
    }
}
