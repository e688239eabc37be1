//! Blocks with vectors of 256 bits: the same numbers as in `block.rs`, eight at a time.
#![expect(
    clippy::indexing_slicing,
    reason = "the numbers of rows, columns and coefficients are constants"
)]

use std::arch::x86_64::*;

use super::block::{Block, Samples};
use super::tables::Quantizer;

/// Returns the coefficients of samples.
#[target_feature(enable = "avx2")]
pub(super) fn block(samples: &Samples, by: &Quantizer) -> Block {
    let rows = turned(waves::<11, true>(columns(samples)));
    let rows = waves::<15, false>(rows);
    let (mut numbers, mut empty) = ([0; 64], [_mm256_setzero_si256(); 4]);
    let [first, second] = by.factors.each_ref();
    let halves = by.halves.as_chunks().0;
    let (first, second) = (first.as_chunks().0, second.as_chunks().0);
    for (at, to) in numbers.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let both = in_order(_mm256_packs_epi32(rows[2 * at], rows[2 * at + 1]));
        let sums = _mm256_add_epi16(_mm256_abs_epi16(both), load(&halves[at]));
        let quotients = _mm256_mulhi_epu16(sums, load(&first[at]));
        let quotients = _mm256_mulhi_epu16(quotients, load(&second[at]));
        let signed = _mm256_sign_epi16(quotients, both);
        empty[at] = _mm256_cmpeq_epi16(signed, _mm256_setzero_si256());
        // SAFETY: the array has 32 bytes, and an address of any alignment is right.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), signed) };
    }
    let filled = |low, high| {
        let bytes = in_order(_mm256_packs_epi16(low, high));
        u64::from(!_mm256_movemask_epi8(bytes).cast_unsigned())
    };
    let filled = filled(empty[0], empty[1]) | filled(empty[2], empty[3]) << 32;
    Block { numbers, filled }
}

/// Puts the quarters of two vectors that were packed in order: a pack stays inside of halves.
#[target_feature(enable = "avx2")]
fn in_order(packed: __m256i) -> __m256i {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
}

#[target_feature(enable = "avx2")]
fn load(from: &[u16; 16]) -> __m256i {
    // SAFETY: the array has 32 bytes, and an address of any alignment is right.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

/// Returns the columns of samples, with the middle of their range at zero.
#[target_feature(enable = "avx2")]
fn columns(samples: &Samples) -> [__m256i; 8] {
    let row = |y: usize| _mm_cvtsi64_si128(i64::from_le_bytes(samples[y]));
    let two = |y| _mm_unpacklo_epi8(row(y), row(y + 1));
    let four = |y| {
        let (one, other) = (two(y), two(y + 2));
        (
            _mm_unpacklo_epi16(one, other),
            _mm_unpackhi_epi16(one, other),
        )
    };
    let ((a, b), (c, d)) = (four(0), four(4));
    let pairs = [
        _mm_unpacklo_epi32(a, c),
        _mm_unpackhi_epi32(a, c),
        _mm_unpacklo_epi32(b, d),
        _mm_unpackhi_epi32(b, d),
    ];
    let mut columns = [_mm256_setzero_si256(); 8];
    for (to, pair) in columns.as_chunks_mut::<2>().0.iter_mut().zip(pairs) {
        let signed = _mm_xor_si128(pair, _mm_set1_epi8(-128));
        let second = _mm_srli_si128::<8>(signed);
        *to = [_mm256_cvtepi8_epi32(signed), _mm256_cvtepi8_epi32(second)];
    }
    columns
}

/// Makes rows of columns.
#[target_feature(enable = "avx2")]
fn turned([a, b, c, d, e, f, g, h]: [__m256i; 8]) -> [__m256i; 8] {
    let four = |a, b, c, d| {
        let (ab, cd) = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d));
        let (high_ab, high_cd) = (_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d));
        [
            _mm256_unpacklo_epi64(ab, cd),
            _mm256_unpackhi_epi64(ab, cd),
            _mm256_unpacklo_epi64(high_ab, high_cd),
            _mm256_unpackhi_epi64(high_ab, high_cd),
        ]
    };
    let (left, right) = (four(a, b, c, d), four(e, f, g, h));
    let mut rows = [_mm256_setzero_si256(); 8];
    for y in 0..4 {
        rows[y] = _mm256_permute2x128_si256::<0x20>(left[y], right[y]);
        rows[y + 4] = _mm256_permute2x128_si256::<0x31>(left[y], right[y]);
    }
    rows
}

/// The transform of eight numbers, for eight of them beside each other.
#[target_feature(enable = "avx2")]
fn waves<const SHIFT: i32, const IS_FIRST: bool>(all: [__m256i; 8]) -> [__m256i; 8] {
    let [a, b, c, d, e, f, g, h] = all;
    let add = |a, b| _mm256_add_epi32(a, b);
    let sub = |a, b| _mm256_sub_epi32(a, b);
    let mul = |a, by| _mm256_mullo_epi32(a, _mm256_set1_epi32(by));
    let round = |sum| _mm256_srai_epi32::<SHIFT>(add(sum, _mm256_set1_epi32(1 << (SHIFT - 1))));
    let whole = |sum| match IS_FIRST {
        true => _mm256_slli_epi32::<2>(sum),
        false => _mm256_srai_epi32::<2>(add(sum, _mm256_set1_epi32(2))),
    };
    let (ah, bg, cf, de) = (add(a, h), add(b, g), add(c, f), add(d, e));
    let (outer, inner) = (sub(ah, de), sub(bg, cf));
    let both = mul(add(outer, inner), 4433);
    let (s, t, u, v) = (sub(d, e), sub(c, f), sub(b, g), sub(a, h));
    let (su, tv) = (add(s, u), add(t, v));
    let turn = mul(add(su, tv), 9633);
    let (su, tv) = (sub(turn, mul(su, 16069)), sub(turn, mul(tv, 3196)));
    let (sv, tu) = (mul(add(s, v), 7373), mul(add(t, u), 20995));
    [
        whole(add(add(ah, de), add(bg, cf))),
        round(add(mul(v, 12299), sub(tv, sv))),
        round(add(both, mul(outer, 6270))),
        round(add(mul(u, 25172), sub(su, tu))),
        whole(sub(add(ah, de), add(bg, cf))),
        round(add(mul(t, 16819), sub(tv, tu))),
        round(sub(both, mul(inner, 15137))),
        round(add(mul(s, 2446), sub(su, sv))),
    ]
}
