//! The conversion of many numbers of half precision from and to single precision.
//!
//! The formulas have no branches, so that the compiler makes vector instructions of the loops.

use ascendcl_sys::{ACL_BF16, ACL_FLOAT16, aclDataType};

use super::element::round_to_bf16;
use super::number::{CHUNK, Load, Store, Whole};
use super::stored::rounded_to_odd;
use crate::wide::wide;

/// `2^112`: the exponents of single precision are larger by this much.
const RAISE: f32 = f32::from_bits(0x7780_0000);

/// The conversion of elements of half precision next to each other, many at a time. There are no such functions for other
/// data types, and for numbers that are converted one by one.
pub(super) trait Halves: Sized {
    /// Returns the function that reads elements, with the contract of `Number::load`.
    fn half_loader(_: aclDataType, _: usize) -> Option<Load<Self>> {
        None
    }

    /// Returns the function that writes elements, with the contract of `Number::store`.
    fn half_storer(_: aclDataType, _: usize) -> Option<Store<Self>> {
        None
    }
}

impl Halves for Whole {}

impl Halves for f64 {
    fn half_loader(dtype: aclDataType, step: usize) -> Option<Load<f64>> {
        if step != size_of::<Bits>() {
            return None;
        }
        match dtype {
            ACL_FLOAT16 => Some(|from, _, to| {
                // SAFETY: the contract of `Number::load`.
                unsafe { load_double(from, to, from_f16) };
            }),
            ACL_BF16 => Some(|from, _, to| {
                // SAFETY: the contract of `Number::load`.
                unsafe { load_double(from, to, from_bf16) };
            }),
            _ => None,
        }
    }

    fn half_storer(dtype: aclDataType, step: usize) -> Option<Store<f64>> {
        if step != size_of::<Bits>() {
            return None;
        }
        match dtype {
            ACL_FLOAT16 => Some(|from, to, _| {
                // SAFETY: the contract of `Number::store`.
                unsafe { store_double(from, to, to_f16) };
            }),
            ACL_BF16 => Some(|from, to, _| {
                // SAFETY: the contract of `Number::store`.
                unsafe { store_double(from, to, to_bf16) };
            }),
            _ => None,
        }
    }
}

/// The number of elements that are rounded twice at a time.
const PART: usize = 64;

/// Writes numbers of double precision to elements next to each other.
///
/// # Safety
///
/// - `from.len()` elements of two bytes are writable, next to each other, the first one at `to`.
unsafe fn store_double(from: &[f64], to: *mut u8, narrow: fn(&[f32], &mut [Bits])) {
    // SAFETY: the caller's contract.
    let bits = unsafe { bits_to(to, from.len()) };
    for (from, bits) in from.chunks(PART).zip(bits.chunks_mut(PART)) {
        let mut single = [0.0; PART];
        let single = single.get_mut(..from.len()).unwrap_or_default();
        round_to_odd(from, single);
        narrow(single, bits);
    }
}

/// Reads elements next to each other as numbers of double precision.
///
/// # Safety
///
/// - `to.len()` elements of two bytes are readable, next to each other, the first one at `from`.
unsafe fn load_double(from: *const u8, to: &mut [f64], widen: fn(&[Bits], &mut [f32])) {
    // SAFETY: the caller's contract.
    let bits = unsafe { bits_at(from, to.len()) };
    for (to, bits) in to.chunks_mut(CHUNK).zip(bits.chunks(CHUNK)) {
        let mut single = [0.0; CHUNK];
        let single = single.get_mut(..to.len()).unwrap_or_default();
        widen(bits, single);
        for (to, single) in to.iter_mut().zip(single) {
            *to = (*single).into();
        }
    }
}

/// An element of half precision in memory, at any address.
type Bits = [u8; 2];

/// Returns elements.
///
/// # Safety
///
/// - `len` elements are readable at `from`, and no thread writes them while the slice exists.
#[inline(always)]
unsafe fn bits_at<'a>(from: *const u8, len: usize) -> &'a [Bits] {
    // SAFETY: the caller's contract. Bytes need no alignment.
    unsafe { core::slice::from_raw_parts(from.cast(), len) }
}

/// Returns elements that are written.
///
/// # Safety
///
/// - `len` elements are writable at `to`, and nothing else uses them while the slice exists.
#[inline(always)]
unsafe fn bits_to<'a>(to: *mut u8, len: usize) -> &'a mut [Bits] {
    // SAFETY: the caller's contract. Bytes need no alignment.
    unsafe { core::slice::from_raw_parts_mut(to.cast(), len) }
}

impl Halves for f32 {
    fn half_loader(dtype: aclDataType, step: usize) -> Option<Load<f32>> {
        if step != size_of::<Bits>() {
            return None;
        }
        match dtype {
            ACL_FLOAT16 => Some(|from, _, to| {
                // SAFETY: the contract of `Number::load`.
                from_f16(unsafe { bits_at(from, to.len()) }, to);
            }),
            ACL_BF16 => Some(|from, _, to| {
                // SAFETY: the contract of `Number::load`.
                from_bf16(unsafe { bits_at(from, to.len()) }, to);
            }),
            _ => None,
        }
    }

    fn half_storer(dtype: aclDataType, step: usize) -> Option<Store<f32>> {
        if step != size_of::<Bits>() {
            return None;
        }
        match dtype {
            ACL_FLOAT16 => Some(|from, to, _| {
                // SAFETY: the contract of `Number::store`.
                to_f16(from, unsafe { bits_to(to, from.len()) });
            }),
            ACL_BF16 => Some(|from, to, _| {
                // SAFETY: the contract of `Number::store`.
                to_bf16(from, unsafe { bits_to(to, from.len()) });
            }),
            _ => None,
        }
    }
}

/// Converts numbers from FLOAT16.
fn from_f16(bits: &[Bits], to: &mut [f32]) {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("f16c") {
        // SAFETY: the processor has F16C.
        return unsafe { from_f16_at_once(bits, to) };
    }
    from_f16_by_bits(bits, to);
}

/// Converts numbers to FLOAT16; rounds to the nearest, ties to even.
fn to_f16(from: &[f32], to: &mut [Bits]) {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("f16c") {
        // SAFETY: the processor has F16C.
        return unsafe { to_f16_at_once(from, to) };
    }
    to_f16_by_bits(from, to);
}

/// [`from_f16`] with the instruction of the processor, eight numbers at a time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx,f16c")]
fn from_f16_at_once(bits: &[Bits], to: &mut [f32]) {
    use core::arch::x86_64::{_mm_loadu_si128, _mm256_cvtph_ps, _mm256_storeu_ps};
    let (eights, rest) = bits.as_chunks::<8>();
    let (results, last) = to.as_chunks_mut::<8>();
    for (result, eight) in results.iter_mut().zip(eights) {
        // SAFETY: eight halves are 128 bits, which are readable.
        let eight = unsafe { _mm_loadu_si128(eight.as_ptr().cast()) };
        let numbers = _mm256_cvtph_ps(eight);
        // SAFETY: the result has eight numbers.
        unsafe { _mm256_storeu_ps(result.as_mut_ptr(), numbers) };
    }
    if !rest.is_empty() {
        from_f16_by_bits(rest, last);
    }
}

/// [`to_f16`] with the instruction of the processor, eight numbers at a time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx,f16c")]
fn to_f16_at_once(from: &[f32], to: &mut [Bits]) {
    use core::arch::x86_64::{
        _MM_FROUND_TO_NEAREST_INT, _mm_storeu_si128, _mm256_cvtps_ph, _mm256_loadu_ps,
    };
    let (eights, rest) = from.as_chunks::<8>();
    let (results, last) = to.as_chunks_mut::<8>();
    for (result, eight) in results.iter_mut().zip(eights) {
        // SAFETY: eight numbers are readable.
        let eight = unsafe { _mm256_loadu_ps(eight.as_ptr()) };
        let halves = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(eight);
        // SAFETY: the result has 128 bits, which are eight halves.
        unsafe { _mm_storeu_si128(result.as_mut_ptr().cast(), halves) };
    }
    if !rest.is_empty() {
        to_f16_by_bits(rest, last);
    }
}

wide! {
    /// Rounds numbers so that rounding them once more gives the same as once.
    fn round_to_odd(from: &[f64], to: &mut [f32]) {
        for (to, from) in to.iter_mut().zip(from) {
            *to = rounded_to_odd(*from);
        }
    }

    /// [`from_f16`] without an instruction for it.
    fn from_f16_by_bits(bits: &[Bits], to: &mut [f32]) {
        for (to, bits) in to.iter_mut().zip(bits) {
            let bits = u32::from(u16::from_ne_bytes(*bits));
            let size = (bits & 0x7fff) << 13;
            let scaled = (f32::from_bits(size) * RAISE).to_bits();
            // Infinity and NaN keep the largest exponent.
            let exponent = if size >= 0x7c00 << 13 { 0x7f80_0000 } else { 0 };
            let sign = (bits & 0x8000) << 16;
            *to = f32::from_bits(scaled | exponent | sign);
        }
    }

    /// [`to_f16`] without an instruction for it.
    fn to_f16_by_bits(from: &[f32], to: &mut [Bits]) {
        for (to, from) in to.iter_mut().zip(from) {
            let bits = from.to_bits();
            let size = bits & 0x7fff_ffff;
            let odd = (size >> 13) & 1;
            let normal = size.wrapping_add(0x0fff + odd).wrapping_sub(112 << 23) >> 13;
            // The smallest step behind 0.5 is the smallest number of half precision, so the sum is rounded to it.
            let tiny = (f32::from_bits(size) + 0.5).to_bits().wrapping_sub(0x3f00_0000);
            let rounded = if size < 113 << 23 { tiny } else { normal };
            // From here on numbers are rounded to infinity.
            let rounded = if size >= 0x477f_f000 { 0x7c00 } else { rounded };
            let rounded = if size > 0x7f80_0000 { 0x7e00 } else { rounded };
            // CAST: the result has sixteen bits.
            *to = ((rounded | (bits >> 16) & 0x8000) as u16).to_ne_bytes();
        }
    }

    /// Converts numbers from BF16.
    fn from_bf16(bits: &[Bits], to: &mut [f32]) {
        for (to, bits) in to.iter_mut().zip(bits) {
            *to = f32::from_bits(u32::from(u16::from_ne_bytes(*bits)) << 16);
        }
    }

    /// Converts numbers to BF16; rounds to the nearest, ties to even.
    fn to_bf16(from: &[f32], to: &mut [Bits]) {
        for (to, from) in to.iter_mut().zip(from) {
            *to = round_to_bf16(*from).to_ne_bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    use half::{bf16, f16};

    use super::*;

    #[test]
    fn every_half_is_converted_exactly() {
        let bits: Vec<Bits> = (0..=u16::MAX).map(u16::to_ne_bytes).collect();
        let mut wide = vec![0.0; bits.len()];
        let mut back = vec![[0; 2]; bits.len()];
        type Both = (fn(&[Bits], &mut [f32]), fn(&[f32], &mut [Bits]));
        let ways: [Both; 2] = [(from_f16, to_f16), (from_f16_by_bits, to_f16_by_bits)];
        for (widen, narrow) in ways {
            widen(&bits, &mut wide);
            narrow(&wide, &mut back);
            for ((bits, wide), back) in bits.iter().zip(&wide).zip(&back) {
                let expected = f16::from_ne_bytes(*bits);
                if expected.is_nan() {
                    assert!(
                        wide.is_nan() && f16::from_ne_bytes(*back).is_nan(),
                        "{bits:x?}"
                    );
                } else {
                    assert_eq!(wide.to_bits(), expected.to_f32().to_bits(), "{bits:x?}");
                    assert_eq!(back, bits);
                }
            }
        }
        from_bf16(&bits, &mut wide);
        to_bf16(&wide, &mut back);
        for ((bits, wide), back) in bits.iter().zip(&wide).zip(&back) {
            let expected = bf16::from_ne_bytes(*bits);
            let is_nan = expected.is_nan() && wide.is_nan() && bf16::from_ne_bytes(*back).is_nan();
            assert!(
                is_nan || (back == bits && wide.to_bits() == expected.to_f32().to_bits()),
                "{bits:x?}"
            );
        }
    }

    #[test]
    fn numbers_are_rounded_as_in_the_library() {
        let lower = [0, 1, 0x0fff, 0x1000, 0x1001, 0x1fff];
        let steps = (0..=u32::MAX >> 13)
            .flat_map(|upper| lower.map(|lower| f32::from_bits(upper << 13 | lower)));
        let numbers: Vec<f32> = steps.collect();
        let mut halves = vec![[0; 2]; numbers.len()];
        for narrow in [to_f16, to_f16_by_bits] {
            narrow(&numbers, &mut halves);
            for (half, number) in halves.iter().zip(&numbers) {
                let expected = f16::from_f32(*number);
                let is_nan = number.is_nan() && f16::from_ne_bytes(*half).is_nan();
                assert!(
                    is_nan || *half == expected.to_ne_bytes(),
                    "{:#x}",
                    number.to_bits()
                );
            }
        }
    }
}
