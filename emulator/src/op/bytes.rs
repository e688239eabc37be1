//! The product of two matrices of bytes in whole numbers.

use super::rule::{at, put};
use crate::sync::cores::fill;
use crate::wide::wide;

/// The rows and columns of a part of the product, whose sums are in registers.
const ROWS: usize = 4;
const COLUMNS: usize = 16;

/// The number of rows whose sums are made before they are added to the result.
const STRIP: usize = 256;

/// The number of products of bytes of which 32 bits have the sum exactly.
const EXACT: usize = 1 << 16;

/// The number of multiplications for which another thread is worth its start.
const GRAIN: usize = 4 << 20;

/// Sums of a part of the product.
type Tile = [[i32; COLUMNS]; ROWS];

/// Two bytes, each as a number of 16 bits: instructions multiply two such pairs and add both products.
#[inline(always)]
fn pair(first: i8, second: i8) -> i32 {
    // CAST: the bits of the first number, without its sign above them.
    i32::from(i16::from(first) as u16) | i32::from(second) << 16
}

/// Adds the product of two matrices of bytes to `sums`. The matrices are stored row by row: the left one has `rows` times
/// `length` elements, and the right one `length` times `columns`.
pub(super) fn multiply(
    left: &[i8],
    right: &[i8],
    sums: &mut [f64],
    [rows, length, columns]: [usize; 3],
) {
    for first in (0..length).step_by(EXACT) {
        let depth = EXACT.min(length - first);
        let pairs = depth.div_ceil(2);
        let panels = of_columns(right.get(first * columns..).unwrap_or(&[]), depth, columns);
        for strip in (0..rows).step_by(STRIP) {
            let count = STRIP.min(rows - strip);
            let blocks = of_rows(left, [strip, count], [length, first, depth]);
            let width = columns.div_ceil(COLUMNS);
            let mut tiles = vec![Tile::default(); count.div_ceil(ROWS) * width];
            let each = pairs * 2 * ROWS * COLUMNS;
            fill(&mut tiles, GRAIN.div_ceil(each.max(1)), &|index, tiles| {
                for (index, sums) in (index..).zip(tiles) {
                    let (block, panel) = (index / width * pairs, index % width * pairs);
                    let block = blocks.get(block..block + pairs).unwrap_or(&[]);
                    let panel = panels.get(panel..panel + pairs).unwrap_or(&[]);
                    tile(block, panel, sums);
                }
            });
            for row in 0..count {
                let to = sums.get_mut((strip + row) * columns..).unwrap_or(&mut []);
                let tiles = tiles.get(row / ROWS * width..).unwrap_or(&[]);
                for (sums, tile) in to.chunks_mut(COLUMNS).zip(tiles.iter().take(width)) {
                    for (sum, one) in sums.iter_mut().zip(at(tile, row % ROWS)) {
                        *sum += f64::from(one);
                    }
                }
            }
        }
    }
}

wide! {
    /// Returns the pairs of rows of the right matrix, those of the first columns before those of the next ones.
    fn of_columns(right: &[i8], depth: usize, columns: usize) -> Vec<[i32; COLUMNS]> {
        let mut panels = Vec::with_capacity(columns.div_ceil(COLUMNS) * depth.div_ceil(2));
        for first in (0..columns).step_by(COLUMNS) {
            let len = COLUMNS.min(columns - first);
            for row in (0..depth).step_by(2) {
                let start = row * columns + first;
                let one = right.get(start..start + len).unwrap_or(&[]);
                // The last row may be alone.
                let other = if row + 1 < depth { start + columns } else { right.len() };
                let other = right.get(other..other + len).unwrap_or(&[0; COLUMNS]);
                panels.push(match (one.first_chunk::<COLUMNS>(), other.first_chunk::<COLUMNS>()) {
                    (Some(one), Some(other)) => pairs_of(one, other),
                    _ => pairs_of(one, other),
                });
            }
        }
        panels
    }
}

/// Returns the pairs of the bytes of two rows.
#[inline(always)]
fn pairs_of(one: &[i8], other: &[i8]) -> [i32; COLUMNS] {
    let mut pairs = [0; COLUMNS];
    for (pair_of, (one, other)) in pairs.iter_mut().zip(one.iter().zip(other)) {
        *pair_of = pair(*one, *other);
    }
    pairs
}

/// Returns the pairs of elements of so many rows of the left matrix, those of the first rows before those of the next ones.
fn of_rows(
    left: &[i8],
    [strip, count]: [usize; 2],
    [length, first, depth]: [usize; 3],
) -> Vec<[i32; ROWS]> {
    let mut blocks = vec![[0; ROWS]; count.div_ceil(ROWS) * depth.div_ceil(2)];
    for row in 0..count {
        let start = (strip + row) * length + first;
        let elements = left.get(start..start + depth).unwrap_or(&[]);
        let (pairs, last) = elements.as_chunks::<2>();
        let block = row / ROWS * depth.div_ceil(2);
        let block = blocks.get_mut(block..).unwrap_or(&mut []);
        for (place, [one, other]) in block.iter_mut().zip(pairs) {
            put(place, row % ROWS, pair(*one, *other));
        }
        if let ([one], Some(place)) = (last, block.get_mut(pairs.len())) {
            put(place, row % ROWS, pair(*one, 0));
        }
    }
    blocks
}

/// Stores the sums of the products of rows and columns.
fn tile(block: &[[i32; ROWS]], panel: &[[i32; COLUMNS]], sums: &mut Tile) {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { wide(block, panel, sums) };
    }
    by_pairs(block, panel, sums);
}

fn by_pairs(block: &[[i32; ROWS]], panel: &[[i32; COLUMNS]], sums: &mut Tile) {
    // CAST: the lower half of the pair, with its sign.
    let lower = |pair: i32| i32::from(pair as i16);
    for (ones, others) in block.iter().zip(panel) {
        for (sums, one) in sums.iter_mut().zip(ones) {
            for (sum, other) in sums.iter_mut().zip(others) {
                *sum += lower(*one) * lower(*other) + (one >> 16) * (other >> 16);
            }
        }
    }
}

/// Does what [`by_pairs`] does with the instruction for it.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn wide(block: &[[i32; ROWS]], panel: &[[i32; COLUMNS]], sums: &mut Tile) {
    use core::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_madd_epi16, _mm256_set1_epi32, _mm256_setzero_si256,
    };
    let zero = [_mm256_setzero_si256(); 2];
    let [mut a, mut b, mut c, mut d] = [zero; ROWS];
    for ([one, two, three, four], others) in block.iter().zip(panel) {
        // SAFETY: both have 512 bits, and any bits are vectors.
        let [left, right] =
            unsafe { core::mem::transmute::<[i32; COLUMNS], [__m256i; 2]>(*others) };
        let add = |[low, high]: [__m256i; 2], one: &i32| {
            let one = _mm256_set1_epi32(*one);
            [
                _mm256_add_epi32(low, _mm256_madd_epi16(one, left)),
                _mm256_add_epi32(high, _mm256_madd_epi16(one, right)),
            ]
        };
        (a, b) = (add(a, one), add(b, two));
        (c, d) = (add(c, three), add(d, four));
    }
    // SAFETY: both have the same size, and any bits are numbers.
    *sums = unsafe { core::mem::transmute::<[[__m256i; 2]; ROWS], Tile>([a, b, c, d]) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(index: usize) -> i8 {
        // CAST: any byte.
        (index.wrapping_mul(2_654_435_761) >> 7) as i8
    }

    #[test]
    fn products_are_exact_and_added() {
        for [rows, length, columns] in [
            [1, 1, 1],
            [3, 5, 17],
            [4, 2, 16],
            [257, 31, 33],
            [2, 70_001, 3],
        ] {
            let left: Vec<_> = (0..rows * length).map(number).collect();
            let right: Vec<_> = (0..length * columns)
                .map(|index| number(index + 9))
                .collect();
            let mut sums = vec![0.5; rows * columns];
            multiply(&left, &right, &mut sums, [rows, length, columns]);
            for (index, sum) in sums.iter().enumerate() {
                let (row, column) = (index / columns, index % columns);
                let of = |one| {
                    let factors = (
                        left.get(row * length + one),
                        right.get(one * columns + column),
                    );
                    factors
                        .0
                        .zip(factors.1)
                        .map_or(0, |(one, other)| i64::from(*one) * i64::from(*other))
                };
                let expected: i64 = (0..length).map(of).sum();
                assert_eq!(
                    *sum,
                    expected as f64 + 0.5,
                    "{rows} {length} {columns} {index}"
                );
            }
        }
    }

    #[test]
    fn the_largest_products_are_exact_in_both_ways() {
        let (block, panel) = (
            [[pair(-128, -128); ROWS]; 100],
            [[pair(-128, 127); COLUMNS]; 100],
        );
        let (mut one, mut other) = (Tile::default(), Tile::default());
        tile(&block, &panel, &mut one);
        by_pairs(&block, &panel, &mut other);
        assert_eq!(one, [[100 * 128; COLUMNS]; ROWS]);
        assert_eq!(one, other);
    }

    #[test]
    fn nothing_is_a_product_of_nothing() {
        let mut sums = [1.0; 4];
        multiply(&[], &[], &mut sums, [2, 0, 2]);
        multiply(&[1; 3], &[1; 3], &mut [], [0, 3, 0]);
        assert_eq!(sums, [1.0; 4]);
    }
}
