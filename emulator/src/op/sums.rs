//! Reduction of rows of single precision. Sums are in double precision, or begin with those of a few numbers in single precision.

use super::f32_math;
use super::lines::{Ahead, CHUNK};
use super::number::{Number, Whole};
use super::rule::at;
use crate::wide::wide;

/// The number of sums that are made at the same time, of the numbers of a line. They are added at the end.
pub(super) const LANES: usize = CHUNK;

/// The number of rows that are added together: each sum is read and written once for all of them.
pub(super) const ROWS: usize = 4;

/// Returns the sum in double precision of a function of all numbers. `each` is called for each line of the row. It is inlined
/// into code for wide vectors.
#[inline(always)]
pub(super) fn sum<T: Copy + Default + Into<f64>>(
    row: &[f32],
    mut each: impl FnMut(),
    function: impl Fn(f32) -> T,
) -> f64 {
    let mut sums = [0.0; LANES];
    let (whole, rest) = row.as_chunks::<LANES>();
    for chunk in whole {
        each();
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

/// Returns the sum of a function of numbers in double precision, as [`sum`] adds it.
#[cfg(feature = "more-operators")]
#[inline(always)]
pub(super) fn joined_sum(row: &[f64], function: impl Fn(f64) -> f64) -> f64 {
    let mut sums = [0.0; LANES];
    let (whole, rest) = row.as_chunks::<LANES>();
    for chunk in whole {
        for (sum, one) in sums.iter_mut().zip(chunk) {
            *sum += function(*one);
        }
    }
    for (sum, one) in sums.iter_mut().zip(rest) {
        *sum += function(*one);
    }
    joined(sums)
}

/// Returns the sum of the products of numbers in double precision, as [`sum`] adds it.
#[cfg(feature = "training")]
#[inline(always)]
pub(super) fn joined_product(left: &[f64], right: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let ((left, end), (right, last)) = (left.as_chunks::<LANES>(), right.as_chunks::<LANES>());
    for (left, right) in left.iter().zip(right) {
        for (sum, (one, other)) in sums.iter_mut().zip(left.iter().zip(right)) {
            *sum = one.mul_add(*other, *sum);
        }
    }
    for (sum, (one, other)) in sums.iter_mut().zip(end.iter().zip(last)) {
        *sum = one.mul_add(*other, *sum);
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

/// Returns the sums of the differences to `origin`, and of their squares. For each line of the row, the processor
/// reads one of the numbers ahead.
#[inline(always)]
pub(super) fn moments(row: &[f32], origin: f64, ahead: &mut Ahead) -> (f64, f64) {
    let (mut sums, mut squares) = ([0.0; LANES], [0.0; LANES]);
    let (whole, rest) = row.as_chunks::<LANES>();
    for chunk in whole {
        ahead.next();
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

/// The number of numbers that are added to a sum of single precision before it is added in double precision.
pub(super) const BLOCK: usize = 32;

/// Returns the sum of sums of single precision. Those of four vectors become one before, which is the shortest way.
#[inline(always)]
pub(super) fn joined_lines(parts: [f32; PARTS]) -> f64 {
    let mut few = [0.0; PARTS / 4];
    for (index, one) in few.iter_mut().enumerate() {
        let part = |line: usize| at(&parts, line * PARTS / 4 + index);
        *one = (part(0) + part(1)) + (part(2) + part(3));
    }
    joined_parts(&few)
}

/// Returns the sums that [`moments`] returns, where the numbers are near `origin`: sums of a few differences are in single
/// precision.
#[inline(always)]
pub(super) fn short_moments(row: &[f32], origin: f32, ahead: &mut Ahead) -> (f64, f64) {
    let mut all = (0.0, 0.0);
    for block in row.chunks(BLOCK * PARTS) {
        let (mut sums, mut squares) = ([0.0; PARTS], [0.0; PARTS]);
        let (whole, rest) = block.as_chunks::<PARTS>();
        for chunk in whole {
            const { assert!(PARTS == 2 * CHUNK) };
            ahead.next();
            ahead.next();
            for ((sum, square), one) in sums.iter_mut().zip(&mut squares).zip(chunk) {
                let difference = *one - origin;
                *sum += difference;
                *square = difference.mul_add(difference, *square);
            }
        }
        for ((sum, square), one) in sums.iter_mut().zip(&mut squares).zip(rest) {
            let difference = *one - origin;
            *sum += difference;
            *square = difference.mul_add(difference, *square);
        }
        all = (all.0 + joined_lines(sums), all.1 + joined_lines(squares));
    }
    all
}

/// Returns the sum of sums of single precision. This function is not inlined: the compiler would otherwise keep the sums
/// in the pairs that are added here, instead of in vectors. It gets a copy of them: sums with an address would be in memory, and not in
/// registers.
#[inline(never)]
pub(super) fn joined_parts<const N: usize>(parts: &[f32; N]) -> f64 {
    let mut wide = [0.0; N];
    for (to, from) in wide.iter_mut().zip(parts) {
        *to = f64::from(*from);
    }
    joined(wide)
}

/// Returns the sum of the numbers of a row, and that of their products with the differences of those of another one to `origin`.
/// Sums of a few are in single precision, where they have its whole range around them.
#[cfg(feature = "training")]
#[inline(always)]
pub(super) fn line_sums(row: &[f32], others: &[f32], origin: f32) -> [f64; 2] {
    let mut all = [0.0; 2];
    let blocks = row.chunks(BLOCK * PARTS).zip(others.chunks(BLOCK * PARTS));
    for (line, other_line) in blocks {
        let (mut sums, mut products) = ([0.0; PARTS], [0.0; PARTS]);
        let (row, end) = line.as_chunks::<PARTS>();
        let (others, last) = other_line.as_chunks::<PARTS>();
        for (row, others) in row.iter().zip(others) {
            let pairs = row.iter().zip(others);
            for ((sum, product), (one, other)) in sums.iter_mut().zip(&mut products).zip(pairs) {
                *sum += *one;
                *product = one.mul_add(*other - origin, *product);
            }
        }
        let pairs = end.iter().zip(last);
        for ((sum, product), (one, other)) in sums.iter_mut().zip(&mut products).zip(pairs) {
            *sum += *one;
            *product = one.mul_add(*other - origin, *product);
        }
        let mut both = [joined_lines(sums), joined_lines(products)];
        let [sum, product] = both;
        // Products that are too small are zero, or have few bits.
        if !sum.is_finite() || !product.is_finite() || product.abs() < 1e-30 {
            both = wide_sums(line, other_line, origin);
        }
        all = [all[0] + both[0], all[1] + both[1]];
    }
    all
}

/// Returns the sums of [`line_sums`] in double precision.
#[cfg(feature = "training")]
#[cold]
#[inline(never)]
fn wide_sums(row: &[f32], others: &[f32], origin: f32) -> [f64; 2] {
    let [mut sum, mut product] = [0.0; 2];
    for (one, other) in row.iter().zip(others) {
        sum += f64::from(*one);
        product += f64::from(*one) * (f64::from(*other) - f64::from(origin));
    }
    [sum, product]
}

/// Returns whether a number of a row is NaN.
#[cold]
fn has_nan(row: &[f32]) -> bool {
    row.iter().any(|one| one.is_nan())
}

/// The number of numbers that [`extreme`] chooses from at the same time.
pub(super) const PARTS: usize = 32;

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

/// Returns the number that `choose` prefers, as [`extreme`] does, or NaN if there is one. A sum finds it, which takes fewer
/// operations than two comparisons of each number. That of infinite numbers may be NaN, too.
#[inline(always)]
fn extreme_or_nan(row: &[f32], first: f32, choose: impl Fn(f32, f32) -> f32) -> f32 {
    let (mut chosen, mut sums) = ([first; PARTS], [0.0_f32; PARTS]);
    let (whole, rest) = row.as_chunks::<PARTS>();
    for chunk in whole {
        let mut lane = 0;
        #[expect(clippy::indexing_slicing, reason = "all have the length of the loop")]
        while lane < PARTS {
            chosen[lane] = choose(chosen[lane], chunk[lane]);
            sums[lane] += chunk[lane];
            lane += 1;
        }
    }
    for ((chosen, sum), one) in chosen.iter_mut().zip(&mut sums).zip(rest) {
        *chosen = choose(*chosen, *one);
        *sum += *one;
    }
    if joined_lines(sums).is_nan() && has_nan(row) {
        return f32::NAN;
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

/// Returns the sum of sums, in a function that is not inlined for the reason of [`joined_parts`].
#[inline(never)]
pub(super) fn joined_lanes(sums: &[f64; LANES]) -> f64 {
    joined(*sums)
}

/// Combines each number of a row with the result at the same position.
#[inline(always)]
fn merge<W: Copy + From<f32>>(results: &mut [W], row: &[f32], combine: impl Fn(W, W) -> W) {
    for (result, one) in results.iter_mut().zip(row) {
        *result = combine(*result, W::from(*one));
    }
}

wide! {
    /// Returns the sum.
    pub(super) fn total(row: &[f32]) -> f64 {
        sum(row, || (), f64::from)
    }

    /// Returns the sum of the squares of the differences to `mean`.
    pub(super) fn squares(row: &[f32], mean: f64) -> f64 {
        moments(row, mean, &mut Ahead::of(row)).1
    }

    /// Returns the sum of the exponentials of the differences to `most`.
    pub(super) fn exponentials(row: &[f32], most: f32) -> f64 {
        sum(row, || (), |one| f32_math::exp(one - most))
    }

    /// Returns the sum of whole numbers.
    pub(super) fn whole_total(row: &[Whole]) -> Whole {
        let mut sums = [Whole::ZERO; LANES];
        let (chunks, rest) = row.as_chunks::<LANES>();
        for chunk in chunks {
            for (sum, one) in sums.iter_mut().zip(chunk) {
                *sum = *sum + *one;
            }
        }
        let mut all = Whole::ZERO;
        for one in sums.iter().chain(rest) {
            all = all + *one;
        }
        all
    }

    /// Returns the product.
    pub(super) fn factors(row: &[f32]) -> f64 {
        let mut products = [1.0; LANES];
        let (whole, rest) = row.as_chunks::<LANES>();
        for chunk in whole {
            for (product, one) in products.iter_mut().zip(chunk) {
                *product *= f64::from(*one);
            }
        }
        for (product, one) in products.iter_mut().zip(rest) {
            *product *= f64::from(*one);
        }
        let mut all = 1.0;
        for one in products {
            all *= one;
        }
        all
    }

    /// Returns the sum of the products of numbers at the same positions.
    pub(super) fn product(left: &[f32], right: &[f32]) -> f64 {
        let mut sums = [0.0; LANES];
        let ((left, end), (right, last)) = (left.as_chunks::<LANES>(), right.as_chunks::<LANES>());
        let add = |sum: &mut f64, one: &f32, other: &f32| {
            *sum = f64::from(*one).mul_add(f64::from(*other), *sum);
        };
        for (left, right) in left.iter().zip(right) {
            for (sum, (one, other)) in sums.iter_mut().zip(left.iter().zip(right)) {
                add(sum, one, other);
            }
        }
        for (sum, (one, other)) in sums.iter_mut().zip(end.iter().zip(last)) {
            add(sum, one, other);
        }
        joined_lanes(&sums)
    }

    /// Adds the numbers of a row to sums.
    pub(super) fn add(sums: &mut [f64], row: &[f32]) {
        merge(sums, row, |sum, one| sum + one);
    }

    /// Adds the numbers of several rows to sums. Those of one sum are added in single precision before.
    pub(super) fn add_rows(sums: &mut [f64], rows: &[&[f32]; ROWS]) {
        let len = sums.len();
        let [a, b, c, d] = *rows;
        let (Some(a), Some(b), Some(c), Some(d)) = (a.get(..len), b.get(..len), c.get(..len), d.get(..len)) else {
            return;
        };
        for (index, sum) in sums.iter_mut().enumerate() {
            #[expect(clippy::indexing_slicing, reason = "all rows have as many numbers as there are sums")]
            let part = (a[index] + b[index]) + (c[index] + d[index]);
            *sum += f64::from(part);
        }
    }

    /// Adds rows, each times its factor, to sums.
    pub(super) fn add_scaled(sums: &mut [f64], rows: &[f64], factors: &[f64]) {
        let width = sums.len().max(1);
        let (blocks, rest) = sums.as_chunks_mut::<LANES>();
        let skipped = blocks.as_flattened().len();
        for (index, block) in blocks.iter_mut().enumerate() {
            // The sums of a block stay in registers.
            let mut sums = *block;
            for (row, factor) in rows.chunks_exact(width).zip(factors) {
                let part = row.as_chunks::<LANES>().0.get(index);
                for (sum, one) in sums.iter_mut().zip(part.unwrap_or(&[0.0; LANES])) {
                    *sum += factor * one;
                }
            }
            *block = sums;
        }
        for (row, factor) in rows.chunks_exact(width).zip(factors) {
            for (sum, one) in rest.iter_mut().zip(row.get(skipped..).unwrap_or_default()) {
                *sum += factor * one;
            }
        }
    }

    /// Adds the exponentials of the differences to `most` to sums.
    pub(super) fn add_powers(sums: &mut [f64], row: &[f32], most: &[f32]) {
        for (sum, (one, most)) in sums.iter_mut().zip(row.iter().zip(most)) {
            *sum += f64::from(f32_math::exp(one - most));
        }
    }

    /// Adds the squares of the numbers of a row to sums.
    pub(super) fn add_squares(sums: &mut [f64], row: &[f32]) {
        merge(sums, row, |sum, one| one.mul_add(one, sum));
    }

    /// Multiplies products by the numbers of a row.
    pub(super) fn multiply(products: &mut [f64], row: &[f32]) {
        merge(products, row, |product, one| product * one);
    }

    /// Replaces numbers by those of a row that are larger, or NaN.
    pub(super) fn raise(most: &mut [f32], row: &[f32]) {
        merge(most, row, f32::larger);
    }

    /// Replaces numbers by those of a row that are smaller, or NaN.
    pub(super) fn lower(least: &mut [f32], row: &[f32]) {
        merge(least, row, f32::smaller);
    }

    /// Returns the largest number, or NaN if there is one.
    pub(super) fn maximum(row: &[f32]) -> f32 {
        extreme_or_nan(row, f32::NEG_INFINITY, |most, one| if one > most { one } else { most })
    }

    /// Returns the smallest number, or NaN if there is one.
    pub(super) fn minimum(row: &[f32]) -> f32 {
        extreme_or_nan(row, f32::INFINITY, |least, one| if one < least { one } else { least })
    }
}

#[cfg(test)]
mod tests {
    use super::super::normal::tests::rows;
    use super::*;

    #[cfg(feature = "training")]
    #[test]
    fn sums_of_two_lines_keep_the_range_of_their_products() {
        for (one, other) in [(1e19_f32, 1e20_f32), (1e-20, 1e-30), (2.0, 3.0)] {
            let [sum, product] = line_sums(&[one; 65], &[other; 65], 0.0);
            let (one, other) = (f64::from(one), f64::from(other));
            assert!((sum - 65.0 * one).abs() <= 1e-5 * sum, "{sum:e}");
            assert!(
                (product - 65.0 * one * other).abs() <= 1e-5 * product,
                "{product:e}"
            );
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
                // CAST: a small number, which is exact.
                let number = |one| if one == place { f32::NAN } else { one as f32 };
                let row: Vec<f32> = (0..len).map(number).collect();
                assert!(maximum(&row).is_nan() && minimum(&row).is_nan() && total(&row).is_nan());
            }
        }
    }

    #[test]
    fn infinite_numbers_of_both_signs_are_extremes() {
        let row = [0.0, f32::INFINITY, f32::NEG_INFINITY];
        assert_eq!((maximum(&row), minimum(&row)), (row[1], row[2]));
    }

    #[test]
    fn short_sums_near_their_origin_are_those_of_double_precision() {
        for len in [0, 1, 31, 32, 33, 1024, 2100] {
            // CAST: small numbers, which are exact.
            let row: Vec<f32> = (0..len).map(|one| 1000.0 + (one % 7) as f32).collect();
            assert_eq!(
                short_moments(&row, 1003.0, &mut Ahead::of(&row)),
                moments(&row, 1003.0, &mut Ahead::of(&row))
            );
        }
    }

    #[test]
    fn a_row_without_numbers_has_the_least_maximum() {
        assert_eq!(maximum(&[]), f32::NEG_INFINITY);
    }
}
