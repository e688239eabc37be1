//! Scaling with vectors of 256 bits.
#![expect(
    clippy::indexing_slicing,
    reason = "the places in arrays and chunks are constants"
)]

use std::arch::x86_64::*;

use ascendcl_emulator::media::Plane;

use super::{Pair, across_of, scaled_by};

/// Returns a plane in another size.
#[target_feature(enable = "avx2")]
pub(super) fn scaled(plane: &Plane, width: usize, height: usize) -> Plane {
    let across = |channels, from: &[u8], columns: &[Pair], to: &mut [i16]| match channels {
        1 => across::<1>(from, columns, to),
        2 => across::<2>(from, columns, to),
        3 => across::<3>(from, columns, to),
        _ => across::<4>(from, columns, to),
    };
    let mixed = |to: &mut [u8], first: &[i16], second: &[i16], pair| mixed(to, first, second, pair);
    scaled_by(plane, width, height, across, mixed)
}

/// The places from which shuffles take the bytes of a vector, for pixels of some components. A shuffle stays inside of a half.
struct Shuffles {
    /// Each component beside the one of the next pixel, as numbers of 16 bits: room for four components.
    beside: [u8; 32],
    /// Two pixels without the room for components that they lack.
    dense: [u8; 32],
    /// The weights of two of four pixels: of the first and the third one, and of the others.
    weights: [[u8; 32]; 2],
}

const fn shuffles(channels: usize) -> Shuffles {
    let mut all = Shuffles {
        beside: [0; 32],
        dense: [0; 32],
        weights: [[0; 32]; 2],
    };
    let mut at = 0;
    while at < 32 {
        let (half, byte) = (at / 16, at % 16);
        let (number, part) = (byte / 2, byte % 2);
        all.beside[at] = (2 * (number / 2 + number % 2 * channels) + part) as u8;
        let filled = number / channels * 4 + number % channels;
        all.dense[at] = (2 * (filled % 8) + part) as u8;
        all.weights[0][at] = (half * 8 + byte % 4) as u8;
        all.weights[1][at] = (half * 8 + 4 + byte % 4) as u8;
        at += 1;
    }
    all
}

/// Scales a row, four pixels at a time. Both pixels of one are in the eight bytes from the first one.
#[target_feature(enable = "avx2")]
fn across<const N: usize>(from: &[u8], columns: &[Pair], to: &mut [i16]) {
    let shuffles = const { shuffles(N) };
    let (beside, dense) = (of_bytes(&shuffles.beside), of_bytes(&shuffles.dense));
    let [even, odd] = shuffles.weights.each_ref().map(|bytes| of_bytes(bytes));
    let two = |first: u64, second: u64, weights: __m256i| {
        let bytes = _mm_set_epi64x(second.cast_signed(), first.cast_signed());
        let numbers = _mm256_shuffle_epi8(_mm256_cvtepu8_epi16(bytes), beside);
        let sums = _mm256_madd_epi16(numbers, weights);
        _mm256_srai_epi32::<4>(_mm256_add_epi32(sums, _mm256_set1_epi32(8)))
    };
    let mut done = 0;
    for [a, b, c, d] in columns.as_chunks::<4>().0 {
        // The last pixels of a row have fewer bytes behind them.
        let Some(first) = eight(from, a.first * N) else {
            break;
        };
        let Some(second) = eight(from, b.first * N) else {
            break;
        };
        let Some(third) = eight(from, c.first * N) else {
            break;
        };
        let Some(fourth) = eight(from, d.first * N) else {
            break;
        };
        let Some(to) = to.get_mut(done * N..) else {
            break;
        };
        let Some(to) = to.get_mut(..2 * N + 8) else {
            break;
        };
        let weights = _mm_set_epi32(d.weights, c.weights, b.weights, a.weights);
        let weights = _mm256_set_m128i(weights, weights);
        let all = _mm256_packs_epi32(
            two(first, third, _mm256_shuffle_epi8(weights, even)),
            two(second, fourth, _mm256_shuffle_epi8(weights, odd)),
        );
        let all = _mm256_shuffle_epi8(all, dense);
        // What is behind two pixels is written again by the next ones.
        store(&mut to[..8], _mm256_castsi256_si128(all));
        store(&mut to[2 * N..], _mm256_extracti128_si256::<1>(all));
        done += 4;
    }
    let to = to.get_mut(done * N..).unwrap_or_default();
    across_of::<N>(from, columns.get(done..).unwrap_or_default(), to);
}

/// Writes the pixels between two rows.
#[target_feature(enable = "avx2")]
fn mixed(to: &mut [u8], first: &[i16], second: &[i16], pair: Pair) {
    let weights = _mm256_set1_epi32(pair.weights);
    let between = |pairs| {
        let sums = _mm256_madd_epi16(pairs, weights);
        _mm256_srai_epi32::<18>(_mm256_add_epi32(sums, _mm256_set1_epi32(1 << 17)))
    };
    let numbers = |first: &[i16; 16], second: &[i16; 16]| {
        let (first, second) = (of_numbers(first), of_numbers(second));
        let low = between(_mm256_unpacklo_epi16(first, second));
        _mm256_packs_epi32(low, between(_mm256_unpackhi_epi16(first, second)))
    };
    let (chunks, rest) = to.as_chunks_mut::<32>();
    let done = chunks.len() * 32;
    let [(first, first_rest), (second, second_rest)] =
        [first, second].map(|row| row.split_at(done));
    let [first, second] = [first, second].map(|row| row.as_chunks().0.as_chunks::<2>().0);
    for ((to, first), second) in chunks.iter_mut().zip(first).zip(second) {
        let (low, high) = (
            numbers(&first[0], &second[0]),
            numbers(&first[1], &second[1]),
        );
        let bytes = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(low, high));
        // SAFETY: the array has 32 bytes, and an address of any alignment is right.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), bytes) };
    }
    super::mixed(rest, first_rest, second_rest, pair);
}

/// Eight bytes from a place.
#[inline]
fn eight(from: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*from.get(at..)?.first_chunk()?))
}

#[target_feature(enable = "avx2")]
fn of_bytes(from: &[u8; 32]) -> __m256i {
    // SAFETY: the array has 32 bytes, and an address of any alignment is right.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
fn of_numbers(from: &[i16; 16]) -> __m256i {
    // SAFETY: the array has 32 bytes, and an address of any alignment is right.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

/// Writes the first eight numbers of a slice, which has as many.
#[target_feature(enable = "avx2")]
fn store(to: &mut [i16], numbers: __m128i) {
    if let Some(to) = to.first_chunk_mut::<8>() {
        // SAFETY: the array has 16 bytes, and an address of any alignment is right.
        unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), numbers) };
    }
}
