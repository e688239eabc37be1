//! Softmax, normalization and reduction of rows in single precision. Sums are in double precision, or begin with short
//! sums in single precision. `short_rows` has what is shorter for results of half precision.

use super::number::Number;
use super::rows::Group;
use super::single;
use super::wide::wide;

/// The number of sums that are made at the same time. They are added at the end.
const LANES: usize = 16;

/// Returns the sum in double precision of a function of all numbers. It is inlined into code for wide vectors.
#[inline(always)]
fn sum<T: Copy + Default + Into<f64>>(row: &[f32], function: impl Fn(f32) -> T) -> f64 {
    let mut sums = [0.0; LANES];
    let (whole, rest) = row.as_chunks::<LANES>();
    for chunk in whole {
        // All functions come before all sums: each loop becomes vectors of its type.
        let mut results = [T::default(); LANES];
        for (result, one) in results.iter_mut().zip(chunk) {
            *result = function(*one);
        }
        for (sum, result) in sums.iter_mut().zip(results) {
            *sum += result.into();
        }
    }
    for (sum, one) in sums.iter_mut().zip(rest) {
        *sum += function(*one).into();
    }
    joined(sums)
}

/// Returns the sum of sums. They are added in pairs, because each addition waits for the one before.
#[inline(always)]
fn joined<const N: usize>(mut sums: [f64; N]) -> f64 {
    let mut half = N;
    while half > 1 {
        half /= 2;
        let (sums, others) = sums.split_at_mut(half);
        for (sum, other) in sums.iter_mut().zip(others) {
            *sum += *other;
        }
    }
    sums[0]
}

/// Returns the sums of the differences to `origin`, and of their squares.
#[inline(always)]
fn moments(row: &[f32], origin: f64) -> (f64, f64) {
    let (mut sums, mut squares) = ([0.0; LANES], [0.0; LANES]);
    let (whole, rest) = row.as_chunks::<LANES>();
    for chunk in whole {
        for ((sum, square), one) in sums.iter_mut().zip(&mut squares).zip(chunk) {
            let difference = f64::from(*one) - origin;
            *sum += difference;
            *square = difference.mul_add(difference, *square);
        }
    }
    for ((sum, square), one) in sums.iter_mut().zip(&mut squares).zip(rest) {
        let difference = f64::from(*one) - origin;
        *sum += difference;
        *square = difference.mul_add(difference, *square);
    }
    (joined(sums), joined(squares))
}

/// The number of sums in single precision that [`replace`] makes at the same time: two vectors. With more of them the factors
/// of a power would not stay in registers.
const SUMS: usize = 16;

/// The number of numbers that are added to a sum of single precision before it is added in double precision.
pub(super) const BLOCK: usize = 32;

/// Returns the sum of sums of single precision. This function is not inlined: the compiler would otherwise keep the sums
/// in the pairs that are added here, instead of in vectors.
#[inline(never)]
pub(super) fn joined_parts<const N: usize>(parts: &[f32; N]) -> f64 {
    joined(parts.map(f64::from))
}

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
        total += joined_parts(&parts);
    }
    if rest.is_empty() {
        return total;
    }
    let mut parts = [0.0; SUMS];
    for (part, one) in parts.iter_mut().zip(rest) {
        *one = function(*one);
        *part = *one;
    }
    total + joined_parts(&parts)
}

/// The number of numbers that [`extreme`] chooses from at the same time.
const PARTS: usize = 32;

/// Returns the largest number. A NaN is not the largest, and a row of them has none.
#[inline(always)]
pub(super) fn largest(row: &[f32]) -> f32 {
    extreme(
        row,
        f32::NEG_INFINITY,
        |most, one| if one > most { one } else { most },
    )
}

/// Returns the number that `choose` prefers to all others, beginning with `first`.
#[inline(always)]
fn extreme(row: &[f32], first: f32, choose: impl Fn(f32, f32) -> f32) -> f32 {
    let mut chosen = [first; PARTS];
    let (whole, rest) = row.as_chunks::<PARTS>();
    for chunk in whole {
        for (chosen, one) in chosen.iter_mut().zip(chunk) {
            *chosen = choose(*chosen, *one);
        }
    }
    for (chosen, one) in chosen.iter_mut().zip(rest) {
        *chosen = choose(*chosen, *one);
    }
    chosen_of(chosen, choose)
}

/// Returns the number that `choose` prefers to the others. They are compared in pairs. This function is not inlined for the
/// reason of [`joined_parts`].
#[inline(never)]
fn chosen_of(mut numbers: [f32; PARTS], choose: impl Fn(f32, f32) -> f32) -> f32 {
    let mut half = PARTS;
    while half > 1 {
        half /= 2;
        let (numbers, others) = numbers.split_at_mut(half);
        for (one, other) in numbers.iter_mut().zip(others) {
            *one = choose(*one, *other);
        }
    }
    numbers[0]
}

/// Returns a number as the sum of two numbers in single precision.
#[inline(always)]
fn halved(number: f64) -> (f32, f32) {
    // CAST: rounded. The second number is what the first one lacks.
    let most = number as f32;
    (most, (number - f64::from(most)) as f32)
}

wide! {
    /// Replaces the numbers of rows by multiples of their softmax, and a factor of each row by the one for its numbers. A
    /// NaN makes a whole row NaN.
    pub(super) fn softmaxes(group: &mut Group<'_, f32>, factors: &mut [f32]) {
        for (row, factor) in group.rows().zip(&mut *factors) {
            *factor = largest(row);
        }
        for (row, factor) in group.rows().zip(factors) {
            let most = *factor;
            let sum = replace(row, |one| single::exp_to_one(one - most));
            // CAST: rounded. The sum is at least one of its terms, which is 2^24.
            *factor = (1.0 / sum) as f32;
        }
    }

    /// Replaces numbers by the logarithms of their softmax. A NaN makes all of them NaN.
    pub(super) fn softmax_logarithms(row: &mut [f32]) {
        let most = largest(row);
        // CAST: rounded. Neither number that is subtracted from 0 is negative, so the roundings stay small.
        let logarithm = sum(row, |one| single::exp(one - most)).ln() as f32;
        for one in row {
            *one = (*one - most) - logarithm;
        }
    }

    /// Normalizes a row by its mean and variance, multiplies it by weights, adds a bias, and returns the mean and the
    /// reciprocal deviation. Without weights or bias the slice is empty.
    pub(super) fn layer(row: &mut [f32], epsilon: f64, weight: &[f32], bias: &[f32]) -> (f64, f64) {
        // CAST: a number of elements, which is exact.
        let count = row.len() as f64;
        // Differences to an element lose nothing where the mean is large beside the deviation.
        let origin = row.first().copied().map_or(0.0, f64::from);
        let (sum, squares) = moments(row, origin);
        let offset = sum / count;
        let variance = squares / count - offset * offset;
        // A NaN stays.
        let variance = if variance < 0.0 { 0.0 } else { variance };
        let (mean, deviation) = (origin + offset, 1.0 / (variance + epsilon).sqrt());
        normalize(row, mean, deviation, weight, bias);
        (mean, deviation)
    }

    /// Divides a row by the root of its mean square, multiplies it by weights, and returns the factor.
    pub(super) fn root(row: &mut [f32], epsilon: f64, weight: &[f32]) -> f64 {
        let (_, squares) = moments(row, 0.0);
        // CAST: a number of elements, which is exact.
        let mean = squares / row.len() as f64;
        let factor = 1.0 / (mean + epsilon).sqrt();
        // CAST: rounded to single precision, also in the other case.
        let single = factor as f32;
        if single.is_normal() {
            affine_row(row, |one| one * single, weight, &[]);
        } else {
            affine_row(row, |one| (f64::from(one) * factor) as f32, weight, &[]);
        }
        factor
    }

    /// Returns the sum.
    pub(super) fn total(row: &[f32]) -> f64 {
        sum(row, f64::from)
    }

    /// Returns the sum of the squares of the differences to `mean`.
    pub(super) fn squares(row: &[f32], mean: f64) -> f64 {
        moments(row, mean).1
    }

    /// Returns the largest number, or NaN if there is one.
    pub(super) fn maximum(row: &[f32]) -> f32 {
        extreme(row, f32::NEG_INFINITY, f32::larger)
    }

    /// Returns the smallest number, or NaN if there is one.
    pub(super) fn minimum(row: &[f32]) -> f32 {
        extreme(row, f32::INFINITY, f32::smaller)
    }
}

/// Subtracts a mean from numbers, multiplies them by a factor and by weights, and adds a bias. An empty slice stands for
/// none.
#[inline(always)]
fn normalize(row: &mut [f32], mean: f64, factor: f64, weight: &[f32], bias: &[f32]) {
    // CAST: rounded to single precision. The offset belongs to the rounded factor.
    let single = factor as f32;
    let (most, rest) = halved(-mean * f64::from(single));
    if single.is_normal() && most.is_finite() {
        affine_row(row, |one| one.mul_add(single, most) + rest, weight, bias);
    } else {
        // CAST: rounded to single precision.
        let scaled = |one: f32| ((f64::from(one) - mean) * factor) as f32;
        affine_row(row, scaled, weight, bias);
    }
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
    use super::super::rows::distance;
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

    /// Returns the softmax of a row: the numbers that replace it, times the factor for them.
    pub(in super::super) fn scaled(
        row: &[f32],
        softmax: fn(&mut Group<'_, f32>, &mut [f32]),
    ) -> Vec<f32> {
        let mut room = vec![0.0; distance::<f32>(row.len())];
        let mut group = Group::new(&mut room, row.len());
        for place in group.rows() {
            place.copy_from_slice(row);
        }
        let mut factors = [1.0];
        softmax(&mut group, &mut factors);
        let [factor] = factors;
        room.truncate(row.len());
        room.into_iter().map(|one| one * factor).collect()
    }

    /// The unit of the rounding of numbers around 1.
    const UNIT: f64 = 1.2e-7;

    #[test]
    fn softmax_is_within_three_units() {
        for row in rows() {
            let double = || row.iter().copied().map(f64::from);
            let most = double().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = double().map(|one| (one - most).exp()).sum();
            let got = scaled(&row, softmaxes);
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
            let mut got = row.clone();
            softmax_logarithms(&mut got);
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
                let mut got = row.clone();
                let (got_mean, got_deviation) = layer(&mut got, epsilon, &[], &[]);
                assert!(
                    (got_mean - mean).abs() <= 1e-12 * mean.abs(),
                    "{got_mean} {mean}"
                );
                let is_same = got_deviation == deviation;
                assert!(
                    is_same || (got_deviation - deviation).abs() <= 1e-9 * deviation,
                    "{got_deviation} {deviation}"
                );
                near(
                    &got,
                    double().map(|one| (one - mean) * deviation),
                    3.0 * UNIT,
                );
                let (weight, bias) = (vec![3.0; row.len()], vec![-5.0; row.len()]);
                let mut got = row.clone();
                let _ = layer(&mut got, epsilon, &weight, &bias);
                let expected = double().map(|one| (one - mean) * deviation * 3.0 - 5.0);
                near(&got, expected, 12.0 * UNIT);
                let factor =
                    1.0 / (double().map(|one| one * one).sum::<f64>() / count + epsilon).sqrt();
                let mut got = row.clone();
                let got_factor = root(&mut got, epsilon, &weight);
                assert!(
                    (got_factor - factor).abs() <= 1e-12 * factor,
                    "{got_factor} {factor}"
                );
                near(&got, double().map(|one| one * factor * 3.0), 3.0 * UNIT);
            }
        }
    }

    #[test]
    fn sums_and_extremes_are_those_of_double_precision() {
        for row in rows() {
            let double = || row.iter().copied().map(f64::from);
            let size: f64 = double().map(f64::abs).sum();
            assert!((total(&row) - double().sum::<f64>()).abs() <= 1e-12 * size);
            let of_squares: f64 = double().map(|one| (one - 2.0).powi(2)).sum();
            assert!((squares(&row, 2.0) - of_squares).abs() <= 1e-12 * of_squares);
            let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let least = row.iter().copied().fold(f32::INFINITY, f32::min);
            assert_eq!((maximum(&row), minimum(&row)), (most, least));
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
                assert!(maximum(&row).is_nan() && minimum(&row).is_nan() && total(&row).is_nan());
                assert!(scaled(&row, softmaxes).iter().all(|one| one.is_nan()));
                let run: [fn(&mut [f32]); 3] = [
                    softmax_logarithms,
                    |row| {
                        let _ = layer(row, 1e-5, &[], &[]);
                    },
                    |row| {
                        let _ = root(row, 1e-5, &[]);
                    },
                ];
                for run in run {
                    let mut row = row.clone();
                    run(&mut row);
                    assert!(row.iter().all(|one| one.is_nan()), "{row:?}");
                }
            }
        }
    }

    #[test]
    fn infinities_are_as_in_the_formulas() {
        assert_eq!(
            scaled(&[f32::NEG_INFINITY, 0.0, 0.0], softmaxes),
            [0.0, 0.5, 0.5]
        );
        let mut row = [f32::NEG_INFINITY, 0.0];
        softmax_logarithms(&mut row);
        assert_eq!(row, [f32::NEG_INFINITY, 0.0]);
        for first in [f32::INFINITY, f32::NEG_INFINITY] {
            let row = scaled(&[first; 3], softmaxes);
            assert!(row.iter().all(|one| one.is_nan()), "{row:?}");
        }
        assert_eq!(maximum(&[]), f32::NEG_INFINITY);
    }
}
