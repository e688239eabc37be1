//! Mixtures of components in thousandths, and sums of pixels, with vectors of 256 bits. Factors have 16 bits here, so that two products
//! and their sum are one instruction.
//!
//! A function returns how many results it has written: those at the end of a row are left.
#![expect(
    clippy::indexing_slicing,
    reason = "the places in arrays are constants, and a row is never shorter than the one that is written from it"
)]

use std::arch::x86_64::*;

use super::{Factors, PLACES, Rows, THOUSANDTHS};

/// Writes a component of three others.
#[target_feature(enable = "avx2")]
pub(super) fn mix(to: &mut [u8], [a, b, c]: &Rows<u8>, factors: [i32; 4], shift: u32) -> usize {
    let (a, b, c) = (a.as_chunks().0, b.as_chunks().0, c.as_chunks().0);
    let (to, mut at) = (to.as_chunks_mut().0, 0);
    while at < to.len() {
        let [one, other] = [2 * at, 2 * at + 1];
        let low = [of_bytes(&a[one]), of_bytes(&b[one]), of_bytes(&c[one])];
        let high = [
            of_bytes(&a[other]),
            of_bytes(&b[other]),
            of_bytes(&c[other]),
        ];
        let (low, high) = (mixed(low, factors, shift), mixed(high, factors, shift));
        store(&mut to[at], low, high);
        at += 1;
    }
    at * 32
}

/// Writes U or V of sums of pixels.
#[target_feature(enable = "avx2")]
pub(super) fn mix_sums(
    to: &mut [u8],
    [a, b, c]: &Rows<u16>,
    factors: [i32; 4],
    shift: u32,
) -> usize {
    let (a, b, c) = (a.as_chunks().0, b.as_chunks().0, c.as_chunks().0);
    let (to, mut at) = (to.as_chunks_mut().0, 0);
    while at < to.len() {
        let [one, other] = [2 * at, 2 * at + 1];
        let low = [of_sums(&a[one]), of_sums(&b[one]), of_sums(&c[one])];
        let high = [of_sums(&a[other]), of_sums(&b[other]), of_sums(&c[other])];
        let (low, high) = (mixed(low, factors, shift), mixed(high, factors, shift));
        store(&mut to[at], low, high);
        at += 1;
    }
    at * 32
}

/// Writes red, green and blue of Y, U and V. Red has nothing of U, and blue nothing of V.
#[target_feature(enable = "avx2")]
pub(super) fn mix_rgb(
    [red, green, blue]: &mut [Vec<u8>; 3],
    [y, u, v]: &Rows<u8>,
    factors: Factors,
    shift: u32,
) -> usize {
    let (y, u, v) = (y.as_chunks().0, u.as_chunks().0, v.as_chunks().0);
    let (red, green) = (red.as_chunks_mut().0, green.as_chunks_mut().0);
    let (blue, mut at) = (blue.as_chunks_mut().0, 0);
    while at < blue.len() {
        let [one, other] = [2 * at, 2 * at + 1];
        let low = [of_bytes(&y[one]), of_bytes(&u[one]), of_bytes(&v[one])];
        let high = [
            of_bytes(&y[other]),
            of_bytes(&u[other]),
            of_bytes(&v[other]),
        ];
        let (low, high) = (rgb(low, factors, shift), rgb(high, factors, shift));
        store(&mut red[at], low[0], high[0]);
        store(&mut green[at], low[1], high[1]);
        store(&mut blue[at], low[2], high[2]);
        at += 1;
    }
    at * 32
}

#[inline]
#[target_feature(enable = "avx2")]
fn rgb([y, u, v]: [__m256i; 3], [red, green, blue]: Factors, shift: u32) -> [__m256i; 3] {
    let (yu, high_yu) = (_mm256_unpacklo_epi16(y, u), _mm256_unpackhi_epi16(y, u));
    let (yv, high_yv) = (_mm256_unpacklo_epi16(y, v), _mm256_unpackhi_epi16(y, v));
    let green_of = |yu, yv| {
        let [of_y, of_u, of_v, _] = green;
        _mm256_add_epi32(products(yu, of_y, of_u), products(yv, 0, of_v))
    };
    let [of_y, _, of_v, constant] = red;
    let (low, high) = (products(yv, of_y, of_v), products(high_yv, of_y, of_v));
    let red = bytes(low, high, constant, shift);
    let [of_y, of_u, _, constant] = blue;
    let (low, high) = (products(yu, of_y, of_u), products(high_yu, of_y, of_u));
    let blue = bytes(low, high, constant, shift);
    let green = bytes(
        green_of(yu, yv),
        green_of(high_yu, high_yv),
        green[3],
        shift,
    );
    [red, green, blue]
}

/// Adds pairs of pixels to sums, which are new or not.
#[target_feature(enable = "avx2")]
pub(super) fn add(sums: &mut [u16], row: &[u8], are_new: bool) -> usize {
    let (sums, row) = (sums.as_chunks_mut().0, row.as_chunks().0);
    let (count, mut at) = (sums.len().min(row.len()), 0);
    while at < count {
        let pairs = _mm256_maddubs_epi16(load(&row[at]), _mm256_set1_epi8(1));
        let all = match are_new {
            true => pairs,
            false => _mm256_add_epi16(of_sums(&sums[at]), pairs),
        };
        // SAFETY: the array has 32 bytes, and an address of any alignment is right.
        unsafe { _mm256_storeu_si256(sums[at].as_mut_ptr().cast(), all) };
        at += 1;
    }
    count * 16
}

/// Returns bytes of three components by their factors and the constant.
#[inline]
#[target_feature(enable = "avx2")]
fn mixed([a, b, c]: [__m256i; 3], [f, g, h, constant]: [i32; 4], shift: u32) -> __m256i {
    let none = _mm256_setzero_si256();
    let ab = products(_mm256_unpacklo_epi16(a, b), f, g);
    let low = _mm256_add_epi32(ab, products(_mm256_unpacklo_epi16(c, none), h, 0));
    let ab = products(_mm256_unpackhi_epi16(a, b), f, g);
    let high = _mm256_add_epi32(ab, products(_mm256_unpackhi_epi16(c, none), h, 0));
    bytes(low, high, constant, shift)
}

/// Multiplies pairs of numbers with two factors, and adds both products.
#[target_feature(enable = "avx2")]
fn products(pairs: __m256i, first: i32, second: i32) -> __m256i {
    _mm256_madd_epi16(pairs, _mm256_set1_epi32((first & 0xffff) | (second << 16)))
}

/// Returns bytes, as numbers of 16 bits, of thousandths without the constant. What is below zero becomes zero.
#[target_feature(enable = "avx2")]
fn bytes(low: __m256i, high: __m256i, constant: i32, shift: u32) -> __m256i {
    let (constant, shift) = (
        _mm256_set1_epi32(constant),
        _mm_cvtsi32_si128(shift.cast_signed()),
    );
    let low = _mm256_sra_epi32(_mm256_add_epi32(low, constant), shift);
    let high = _mm256_sra_epi32(_mm256_add_epi32(high, constant), shift);
    let times = _mm256_set1_epi16(THOUSANDTHS.1 as u16 as i16);
    let parts = _mm256_mulhi_epu16(_mm256_packus_epi32(low, high), times);
    _mm256_srli_epi16::<{ PLACES as i32 - 16 }>(parts)
}

/// Writes numbers as bytes. What is above 255 becomes 255.
#[target_feature(enable = "avx2")]
fn store(to: &mut [u8; 32], low: __m256i, high: __m256i) {
    let bytes = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(low, high));
    // SAFETY: the array has 32 bytes, and an address of any alignment is right.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), bytes) };
}

#[target_feature(enable = "avx2")]
fn load(from: &[u8; 32]) -> __m256i {
    // SAFETY: the array has 32 bytes, and an address of any alignment is right.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
fn of_bytes(from: &[u8; 16]) -> __m256i {
    // SAFETY: the array has 16 bytes, and an address of any alignment is right.
    let bytes = unsafe { _mm_loadu_si128(from.as_ptr().cast()) };
    _mm256_cvtepu8_epi16(bytes)
}

#[target_feature(enable = "avx2")]
fn of_sums(from: &[u16; 16]) -> __m256i {
    // SAFETY: the array has 32 bytes, and an address of any alignment is right.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}
