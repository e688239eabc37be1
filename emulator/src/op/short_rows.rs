//! Softmax, normalization and sums of rows of half precision, in single precision. Sums of a few numbers are in single
//! precision, and go on in double precision.

use ascendcl_sys::aclDataType;

use super::f16_math::{Powers, exp_to_one};
use super::lines::Line;
use super::normal::{self, affine_row, replace};
use super::rows::{Group, ROWS};
use super::sums::{BLOCK, PARTS, joined_lines, largest, total};
use crate::wide::wide;

/// Means of smaller squares lack bits in single precision.
const LEAST_SQUARE: f64 = 1e-24;

/// Returns the sum of a function of all numbers, which `add` adds to a sum of single precision. `widen` converts elements.
#[inline(always)]
fn short_sum<T: Copy>(
    row: &[T],
    zero: T,
    widen: impl Fn(&[T; PARTS]) -> [f32; PARTS],
    add: impl Fn(f32, f32) -> f32,
) -> f64 {
    let mut sum = 0.0;
    let (whole, rest) = row.as_chunks::<PARTS>();
    for block in whole.chunks(BLOCK) {
        let mut parts = [0.0; PARTS];
        for chunk in block {
            let numbers = widen(chunk);
            let mut lane = 0;
            #[expect(clippy::indexing_slicing, reason = "both have the length of the loop")]
            while lane < PARTS {
                parts[lane] = add(parts[lane], numbers[lane]);
                lane += 1;
            }
        }
        sum += joined_lines(parts);
    }
    if rest.is_empty() {
        return sum;
    }
    let mut last = [zero; PARTS];
    if let Some(last) = last.get_mut(..rest.len()) {
        last.copy_from_slice(rest);
    }
    let (mut parts, numbers) = ([0.0; PARTS], widen(&last));
    let mut lane = 0;
    #[expect(clippy::indexing_slicing, reason = "there are fewer than in an array")]
    while lane < rest.len() {
        parts[lane] = add(0.0, numbers[lane]);
        lane += 1;
    }
    sum + joined_lines(parts)
}

/// Returns numbers as they are.
#[inline(always)]
fn same(chunk: &[f32; PARTS]) -> [f32; PARTS] {
    *chunk
}

/// Replaces a row by the results of a kernel for single precision.
#[cold]
fn precisely(row: &mut [f32], compute: impl FnOnce(&mut [Line<'_>])) {
    let numbers = row.to_vec();
    compute(&mut [Line::new(&numbers, row)]);
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
            let sum = match Powers::up_to(most) {
                Some(powers) => replace(row, |one| powers.of(one)),
                None => replace(row, |one| exp_to_one(one - most)),
            };
            // CAST: rounded. The sum is at least one of its terms, which is more than 1/2.
            *factor = (1.0 / sum) as f32;
        }
    }

    /// Normalizes rows by their mean and variance, multiplies them by weights, adds a bias, and stores the mean and the
    /// reciprocal deviation of each row. Without weights or bias the slice is empty.
    pub(super) fn layers(
        group: &mut Group<'_, f32>,
        epsilon: f64,
        weight: &[f32],
        bias: &[f32],
        moments: &mut [(f64, f64); ROWS],
    ) {
        for (row, (mean, _)) in group.rows().zip(&mut *moments) {
            // CAST: a number of elements, which is exact.
            *mean = short_sum(row, 0.0, same, |sum, one| sum + one) / row.len() as f64;
        }
        let mut squares = [0.0; ROWS];
        for ((row, squares), (mean, deviation)) in group.rows().zip(&mut squares).zip(&mut *moments) {
            let (near, rest) = split(*mean);
            let add = |sum: f32, one: f32| (one - near).mul_add(one - near, sum);
            // CAST: a number of elements, which is exact.
            *squares = short_sum(row, 0.0, same, add) / row.len() as f64;
            *deviation = 1.0 / (*squares - rest * rest + epsilon).sqrt();
        }
        for ((row, squares), moments) in group.rows().zip(squares).zip(moments) {
            let (mean, deviation) = *moments;
            // CAST: rounded. It is 0 if squares were infinite.
            let single = deviation as f32;
            if squares < LEAST_SQUARE || !single.is_normal() {
                let mut of_row = [(0.0, 0.0); ROWS];
                precisely(row, |line| normal::layers(line, epsilon, weight, bias, &mut of_row));
                [*moments, ..] = of_row;
                continue;
            }
            let (near, rest) = split(mean);
            // CAST: rounded.
            let offset = (rest * deviation) as f32;
            affine_row(row, |one| (one - near).mul_add(single, offset), weight, bias);
        }
    }

    /// Divides rows by the root of their mean square, multiplies them by weights, and stores the factor of each row.
    pub(super) fn roots(
        group: &mut Group<'_, f32>,
        epsilon: f64,
        weight: &[f32],
        factors: &mut [f64; ROWS],
    ) {
        let mut means = [0.0; ROWS];
        for (row, mean) in group.rows().zip(&mut means) {
            // CAST: a number of elements, which is exact.
            *mean = short_sum(row, 0.0, same, |sum, one| one.mul_add(one, sum)) / row.len() as f64;
        }
        for ((row, mean), factor) in group.rows().zip(means).zip(factors) {
            *factor = 1.0 / (mean + epsilon).sqrt();
            // CAST: rounded. It is 0 if squares were infinite.
            let single = *factor as f32;
            if mean < LEAST_SQUARE || !single.is_normal() {
                let mut of_row = [0.0; ROWS];
                precisely(row, |line| normal::roots(line, epsilon, weight, &mut of_row));
                [*factor, ..] = of_row;
                continue;
            }
            affine_row(row, |one| one * single, weight, &[]);
        }
    }

    /// Returns the sum for a result of half precision.
    pub(super) fn short_total(row: &[f32]) -> f64 {
        let short = short_sum(row, 0.0, same, |sum, one| sum + one);
        // Sums in single precision are infinite where those in double precision are not.
        if short.is_finite() { short } else { total(row) }
    }
}

/// The number of elements that are added for one call of [`short_total`].
pub(super) const SINGLES: usize = 1024;

/// Returns the sum of elements next to each other.
///
/// # Safety
///
/// - As many elements as the number says are readable at the address, which has their alignment.
/// - No thread writes them during the call.
/// - The function comes from [`total_of`] on this processor.
pub(super) type Total = unsafe fn(*const u8, usize) -> f64;

/// Multiplies elements next to each other by as many numbers, and adds the products in single precision.
///
/// # Safety
///
/// - The elements are readable at the address, which is aligned, and nothing writes them meanwhile.
pub(super) type Products = unsafe fn(*const u8, &[f32]) -> f32;

/// Returns the function that adds elements without a row of numbers between. The sum is that of [`short_total`] for each
/// [`SINGLES`] elements. Returns `None` for types that are not of half precision, or if the processor lacks the instructions.
pub(super) fn total_of(dtype: aclDataType) -> Option<Total> {
    Some(of_halves(dtype)?.0)
}

/// Returns the function that adds products of elements, where [`total_of`] returns one.
pub(super) fn products_of(dtype: aclDataType) -> Option<Products> {
    Some(of_halves(dtype)?.1)
}

#[cfg(target_arch = "x86_64")]
fn of_halves(dtype: aclDataType) -> Option<(Total, Products)> {
    use ascendcl_sys::{ACL_BF16, ACL_FLOAT16};
    let _ = super::machine::Avx2::detect()?;
    match dtype {
        ACL_FLOAT16 => Some((x86::total::<half::f16>, x86::products::<half::f16>)),
        ACL_BF16 => Some((x86::total::<half::bf16>, x86::products::<half::bf16>)),
        _ => None,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn of_halves(_: aclDataType) -> Option<(Total, Products)> {
    None
}

/// The functions for processors with vectors of 256 bits.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::super::element::Element;
    use super::super::machine::Avx2;
    use super::super::sums;
    use super::{PARTS, SINGLES, short_sum};

    /// Adds elements of one type.
    ///
    /// # Safety
    ///
    /// - The contract of [`Total`](super::Total) holds.
    #[target_feature(enable = "avx2,fma,f16c")]
    pub(super) unsafe fn total<T: Element<Wide = f32>>(from: *const u8, len: usize) -> f64 {
        let Some(machine) = Avx2::detect() else {
            return f64::NAN;
        };
        // SAFETY: the caller's contract; any bits are elements.
        let elements = unsafe { core::slice::from_raw_parts(from.cast::<T>(), len) };
        let mut sum = 0.0;
        for block in elements.chunks(SINGLES) {
            let widen = |chunk: &[T; PARTS]| T::widen(machine, chunk);
            let short = short_sum(block, T::ZERO, widen, |sum, one| sum + one);
            sum += if short.is_finite() {
                short
            } else {
                precise(machine, block)
            };
        }
        sum
    }

    /// Multiplies elements of one type by numbers, and adds the products.
    ///
    /// # Safety
    ///
    /// - The contract of [`Products`](super::Products) holds.
    #[target_feature(enable = "avx2,fma,f16c")]
    pub(super) unsafe fn products<T: Element<Wide = f32>>(from: *const u8, numbers: &[f32]) -> f32 {
        let Some(machine) = Avx2::detect() else {
            return f32::NAN;
        };
        // SAFETY: the caller's contract; any bits are elements.
        let elements = unsafe { core::slice::from_raw_parts(from.cast::<T>(), numbers.len()) };
        let (mut sums, mut end) = ([0.0; PARTS], [T::ZERO; PARTS]);
        let (chunks, rest) = elements.as_chunks::<PARTS>();
        for (place, one) in end.iter_mut().zip(rest) {
            *place = *one;
        }
        let mut add = |chunk: &[T; PARTS], numbers: &[f32]| {
            let wide = T::widen(machine, chunk);
            for (sum, (one, number)) in sums.iter_mut().zip(wide.iter().zip(numbers)) {
                *sum = one.mul_add(*number, *sum);
            }
        };
        let (numbers, last) = numbers.as_chunks::<PARTS>();
        for (chunk, numbers) in chunks.iter().zip(numbers) {
            add(chunk, numbers);
        }
        add(&end, last);
        // CAST: rounded.
        sums::joined_parts(&{ sums }) as f32
    }

    /// Adds a block in double precision: sums in single precision are infinite where those in double precision are not.
    #[cold]
    fn precise<T: Element<Wide = f32>>(machine: Avx2, block: &[T]) -> f64 {
        let mut room = [0.0; SINGLES];
        let (numbers, elements) = (room.chunks_mut(PARTS), block.chunks(PARTS));
        for (numbers, elements) in numbers.zip(elements) {
            let mut chunk = [T::ZERO; PARTS];
            for (place, one) in chunk.iter_mut().zip(elements) {
                *place = *one;
            }
            numbers.copy_from_slice(&T::widen(machine, &chunk));
        }
        sums::total(room.get(..block.len()).unwrap_or_default())
    }
}

/// Returns a mean in single precision, and what is too much in it.
#[inline(always)]
fn split(mean: f64) -> (f32, f64) {
    // CAST: rounded. What the rounding adds is corrected by the caller.
    let near = mean as f32;
    (near, f64::from(near) - mean)
}

#[cfg(test)]
mod tests {
    use super::super::normal::tests::{alone, layer, near, root, rows};
    use super::super::number::Number;
    use super::super::rows::distance;
    use super::*;

    /// Returns the softmax of a row: the numbers that replace it, times the factor for them.
    fn scaled(row: &[f32]) -> Vec<f32> {
        let mut room = vec![0.0; distance::<f32>(row.len())];
        let mut group = Group::new(&mut room, row.len());
        for place in group.rows() {
            place.copy_from_slice(row);
        }
        let mut factors = [1.0];
        softmaxes(&mut group, &mut factors);
        let [factor] = factors;
        room.truncate(row.len());
        room.into_iter().map(|one| one * factor).collect()
    }

    /// Normalizes a row alone.
    fn normalized(row: &mut [f32], epsilon: f64, weight: &[f32], bias: &[f32]) -> (f64, f64) {
        let mut moments = [(0.0, 0.0); ROWS];
        let len = row.len();
        layers(
            &mut Group::new(row, len),
            epsilon,
            weight,
            bias,
            &mut moments,
        );
        moments[0]
    }

    /// Divides a row alone.
    fn divided(row: &mut [f32], epsilon: f64, weight: &[f32]) -> f64 {
        let mut factors = [0.0; ROWS];
        let len = row.len();
        roots(&mut Group::new(row, len), epsilon, weight, &mut factors);
        factors[0]
    }

    #[test]
    fn a_softmax_for_half_precision_has_its_precision() {
        for row in rows() {
            let (got, single) = (scaled(&row), alone(&row, normal::softmaxes));
            for (got, single) in got.iter().zip(single) {
                // Smaller numbers than 2^-126 are 0.
                let most = single / 32_768.0 + 1.2e-38;
                assert!((got - single).abs() <= most, "{got:e} {single:e}");
            }
        }
    }

    #[test]
    fn short_rows_have_the_precision_of_their_results() {
        /// Half of the distance of two numbers of FLOAT16 around 1 is 2^-12; the errors are below a 64th of it.
        const UNIT: f64 = 1.0 / 262_144.0;
        for numbers in rows() {
            let mut bits = vec![0u16; numbers.len()];
            for dtype in [ascendcl_sys::ACL_FLOAT16, ascendcl_sys::ACL_BF16] {
                let mut row = numbers.clone();
                // SAFETY: the vectors have as many elements.
                unsafe { f32::store(dtype, &row, bits.as_mut_ptr().cast(), 2) };
                // SAFETY: as above.
                unsafe { f32::load(dtype, bits.as_ptr().cast(), 2, &mut row) };
                let (weight, bias) = (vec![3.0; row.len()], vec![-5.0; row.len()]);
                for epsilon in [0.0, 1e-5] {
                    let mut got = row.clone();
                    let (mean, deviation) = normalized(&mut got, epsilon, &weight, &bias);
                    let (expected, exact) = layer(&row, epsilon, &weight, &bias);
                    // A mean near 0 is a difference of larger numbers.
                    let most = row
                        .iter()
                        .fold(0.0, |most: f64, one| most.max(one.abs().into()));
                    let is_near = |got: f64, exact: f64, size: f64| {
                        got == exact || (got - exact).abs() <= UNIT * size || exact.is_nan()
                    };
                    assert!(is_near(mean, exact.0, most), "{mean} {}", exact.0);
                    assert!(
                        is_near(deviation, exact.1, exact.1),
                        "{deviation} {}",
                        exact.1
                    );
                    near(&got, expected.iter().copied().map(f64::from), 8.0 * UNIT);
                    let mut got = row.clone();
                    let factor = divided(&mut got, epsilon, &weight);
                    let (expected, exact) = root(&row, epsilon, &weight);
                    assert!(is_near(factor, exact, exact), "{factor} {exact}");
                    near(&got, expected.iter().copied().map(f64::from), UNIT);
                }
                let size: f64 = row.iter().map(|one| f64::from(one.abs())).sum();
                let (got, exact) = (short_total(&row), total(&row));
                let is_same = got == exact || (got.is_nan() && exact.is_nan());
                assert!(
                    is_same || (got - exact).abs() <= UNIT * size,
                    "{got} {exact}"
                );
            }
        }
    }

    /// The rows of a group have the results that they have alone, whatever the rows beside them are.
    #[test]
    fn rows_of_a_group_are_computed_on_their_own() {
        let lines = [1.0, 1e6, 1e-30, f32::INFINITY, 3e7, -2.0, f32::NAN, 5e4];
        let lens = [1, 16, 37, 1100].into_iter();
        for (len, lines) in lens.flat_map(|len| lines.chunks(ROWS).map(move |lines| (len, lines))) {
            let distance = distance::<f32>(len);
            let mut together = vec![0.0; distance * ROWS];
            for (row, line) in Group::new(&mut together, len).rows().zip(lines) {
                for (index, one) in row.iter_mut().enumerate() {
                    // CAST: a small number, which is exact.
                    *one = *line * (index % 7) as f32 + *line;
                }
            }
            let alone: Vec<Vec<f32>> = Group::new(&mut together, len)
                .rows()
                .map(|row| row.to_vec())
                .collect();
            let is_same = |one: &[f32], other: &[f32]| {
                let bits = |row: &[f32]| row.iter().map(|one| one.to_bits()).collect::<Vec<_>>();
                bits(one) == bits(other)
            };
            let (mut numbers, mut factors) = (together.clone(), [1.0; ROWS]);
            softmaxes(&mut Group::new(&mut numbers, len), &mut factors);
            let results = Group::new(&mut numbers, len);
            check(results, &alone, &|row, index| {
                let factor = factors.get(index).copied().unwrap_or(0.0);
                let got: Vec<f32> = row.iter().map(|one| one * factor).collect();
                alone
                    .get(index)
                    .is_some_and(|one| is_same(&got, &scaled(one)))
            });
            let (mut numbers, mut moments) = (together.clone(), [(0.0, 0.0); ROWS]);
            layers(
                &mut Group::new(&mut numbers, len),
                1e-5,
                &[],
                &[],
                &mut moments,
            );
            check(Group::new(&mut numbers, len), &alone, &|row, index| {
                let mut one = alone.get(index).cloned().unwrap_or_default();
                let expected = normalized(&mut one, 1e-5, &[], &[]);
                let got = moments.get(index).copied().unwrap_or_default();
                let bits = |of: (f64, f64)| (of.0.to_bits(), of.1.to_bits());
                is_same(row, &one) && bits(got) == bits(expected)
            });
        }
    }

    fn check(
        mut group: Group<'_, f32>,
        alone: &[Vec<f32>],
        is_right: &dyn Fn(&[f32], usize) -> bool,
    ) {
        let mut count = 0;
        for (index, row) in group.rows().enumerate() {
            assert!(is_right(row, index), "row {index} of length {}", row.len());
            count += 1;
        }
        assert_eq!(count, alone.len());
    }

    #[test]
    fn elements_have_the_sum_of_their_numbers() {
        for numbers in rows() {
            for dtype in [ascendcl_sys::ACL_FLOAT16, ascendcl_sys::ACL_BF16] {
                let Some(total) = total_of(dtype) else {
                    continue;
                };
                let (mut row, mut bits) = (numbers.clone(), vec![0u16; numbers.len()]);
                // SAFETY: the vectors have as many elements.
                unsafe { f32::store(dtype, &row, bits.as_mut_ptr().cast(), 2) };
                // SAFETY: as above.
                unsafe { f32::load(dtype, bits.as_ptr().cast(), 2, &mut row) };
                let expected: f64 = row.chunks(SINGLES).map(short_total).sum();
                // SAFETY: the vector has these elements, and the processor was asked.
                let got = unsafe { total(bits.as_ptr().cast(), bits.len()) };
                let is_same = got.to_bits() == expected.to_bits();
                assert!(
                    is_same || (got.is_nan() && expected.is_nan()),
                    "{got} {expected}"
                );
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
                assert!(short_total(&row).is_nan());
                let mut others = [row.clone(), row.clone()];
                let [layer, root] = &mut others;
                let _ = (normalized(layer, 1e-5, &[], &[]), divided(root, 1e-5, &[]));
                for row in others.into_iter().chain([scaled(&row)]) {
                    assert!(row.iter().all(|one| one.is_nan()), "{row:?}");
                }
            }
        }
    }
}
