//! The conversion of many numbers of half precision from and to single precision.
//!
//! The formulas have no branches, so that the compiler makes vector instructions of the loops.

use ascendcl_sys::{ACL_BF16, ACL_FLOAT16, aclDataType};

use super::element::round_to_bf16;
use super::number::{CHUNK, Whole};
use super::wide::wide;

/// `2^112`: the exponents of single precision are larger by this much.
const RAISE: f32 = f32::from_bits(0x7780_0000);

/// The conversion of contiguous elements of half precision, many at a time. The functions return false if they do
/// nothing: for other data types, and for numbers that are converted one by one.
pub(super) trait Halves: Sized {
    /// Reads elements.
    ///
    /// # Safety
    ///
    /// - The contract of `Number::load` holds.
    unsafe fn load_halves(_: aclDataType, _: *const u8, _: usize, _: &mut [Self]) -> bool {
        false
    }

    /// Writes elements.
    ///
    /// # Safety
    ///
    /// - The contract of `Number::store` holds.
    unsafe fn store_halves(_: aclDataType, _: &[Self], _: *mut u8, _: usize) -> bool {
        false
    }

    /// Rounds numbers.
    fn quantise_halves(_: aclDataType, _: &mut [Self]) -> bool {
        false
    }
}

impl Halves for f64 {
    unsafe fn load_halves(
        dtype: aclDataType,
        from: *const u8,
        step: usize,
        to: &mut [f64],
    ) -> bool {
        if conversions(dtype).is_none() || step != size_of::<u16>() {
            return false;
        }
        for (index, to) in to.chunks_mut(CHUNK).enumerate() {
            let mut single = [0.0; CHUNK];
            let single = single.get_mut(..to.len()).unwrap_or_default();
            // SAFETY: the caller's contract: as many elements of two bytes are readable here.
            let _ = unsafe {
                f32::load_halves(dtype, from.wrapping_add(index * CHUNK * step), step, single)
            };
            for (to, single) in to.iter_mut().zip(single) {
                *to = (*single).into();
            }
        }
        true
    }
}
impl Halves for Whole {}

/// Returns the conversions of a data type of half precision.
#[expect(clippy::type_complexity, reason = "two functions, which are used once")]
fn conversions(dtype: aclDataType) -> Option<(fn(&[u16], &mut [f32]), fn(&[f32], &mut [u16]))> {
    match dtype {
        ACL_FLOAT16 => Some((from_f16, to_f16)),
        ACL_BF16 => Some((from_bf16, to_bf16)),
        _ => None,
    }
}

impl Halves for f32 {
    unsafe fn load_halves(
        dtype: aclDataType,
        from: *const u8,
        step: usize,
        to: &mut [f32],
    ) -> bool {
        let Some((widen, _)) = conversions(dtype).filter(|_| step == size_of::<u16>()) else {
            return false;
        };
        for (index, to) in to.chunks_mut(CHUNK).enumerate() {
            let mut bits = [0u16; CHUNK];
            let bits = bits.get_mut(..to.len()).unwrap_or_default();
            let from = from.wrapping_add(index * CHUNK * step);
            // SAFETY: the caller's contract: as many elements of two bytes are readable here, and `bits` is a local
            // variable.
            unsafe { from.copy_to_nonoverlapping(bits.as_mut_ptr().cast(), size_of_val(bits)) };
            widen(bits, to);
        }
        true
    }

    unsafe fn store_halves(dtype: aclDataType, from: &[f32], to: *mut u8, step: usize) -> bool {
        let Some((_, narrow)) = conversions(dtype).filter(|_| step == size_of::<u16>()) else {
            return false;
        };
        for (index, from) in from.chunks(CHUNK).enumerate() {
            let mut bits = [0u16; CHUNK];
            let bits = bits.get_mut(..from.len()).unwrap_or_default();
            narrow(from, bits);
            let to = to.wrapping_add(index * CHUNK * step);
            // SAFETY: the caller's contract: as many elements of two bytes are writable here, and `bits` is a local
            // variable.
            unsafe { to.copy_from_nonoverlapping(bits.as_ptr().cast(), size_of_val(bits)) };
        }
        true
    }

    fn quantise_halves(dtype: aclDataType, numbers: &mut [f32]) -> bool {
        let Some((widen, narrow)) = conversions(dtype) else {
            return false;
        };
        for numbers in numbers.chunks_mut(CHUNK) {
            let mut bits = [0u16; CHUNK];
            let bits = bits.get_mut(..numbers.len()).unwrap_or_default();
            narrow(numbers, bits);
            widen(bits, numbers);
        }
        true
    }
}

/// Converts numbers from FLOAT16.
pub(super) fn from_f16(bits: &[u16], to: &mut [f32]) {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("f16c") {
        // SAFETY: the processor has F16C.
        return unsafe { from_f16_at_once(bits, to) };
    }
    from_f16_by_bits(bits, to);
}

/// Converts numbers to FLOAT16; rounds to the nearest, ties to even.
pub(super) fn to_f16(from: &[f32], to: &mut [u16]) {
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
fn from_f16_at_once(bits: &[u16], to: &mut [f32]) {
    use core::arch::x86_64::{__m128i, _mm256_cvtph_ps, _mm256_storeu_ps};
    let (eights, rest) = bits.as_chunks::<8>();
    let (results, last) = to.as_chunks_mut::<8>();
    for (result, eight) in results.iter_mut().zip(eights) {
        // SAFETY: eight halves are 128 bits, and all bit patterns are valid vectors.
        let eight = unsafe { core::mem::transmute::<[u16; 8], __m128i>(*eight) };
        let numbers = _mm256_cvtph_ps(eight);
        // SAFETY: the result has eight numbers.
        unsafe { _mm256_storeu_ps(result.as_mut_ptr(), numbers) };
    }
    from_f16_by_bits(rest, last);
}

/// [`to_f16`] with the instruction of the processor, eight numbers at a time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx,f16c")]
fn to_f16_at_once(from: &[f32], to: &mut [u16]) {
    use core::arch::x86_64::{
        __m128i, _MM_FROUND_TO_NEAREST_INT, _mm256_cvtps_ph, _mm256_loadu_ps,
    };
    let (eights, rest) = from.as_chunks::<8>();
    let (results, last) = to.as_chunks_mut::<8>();
    for (result, eight) in results.iter_mut().zip(eights) {
        // SAFETY: eight numbers are readable.
        let eight = unsafe { _mm256_loadu_ps(eight.as_ptr()) };
        let halves = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(eight);
        // SAFETY: 128 bits are eight halves.
        *result = unsafe { core::mem::transmute::<__m128i, [u16; 8]>(halves) };
    }
    to_f16_by_bits(rest, last);
}

wide! {
    /// [`from_f16`] without an instruction for it.
    fn from_f16_by_bits(bits: &[u16], to: &mut [f32]) {
        for (to, bits) in to.iter_mut().zip(bits) {
            let size = (u32::from(*bits) & 0x7fff) << 13;
            let scaled = (f32::from_bits(size) * RAISE).to_bits();
            // Infinity and NaN keep the largest exponent.
            let exponent = if size >= 0x7c00 << 13 { 0x7f80_0000 } else { 0 };
            let sign = (u32::from(*bits) & 0x8000) << 16;
            *to = f32::from_bits(scaled | exponent | sign);
        }
    }

    /// [`to_f16`] without an instruction for it.
    fn to_f16_by_bits(from: &[f32], to: &mut [u16]) {
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
            *to = (rounded | (bits >> 16) & 0x8000) as u16;
        }
    }

    /// Converts numbers from BF16.
    pub(super) fn from_bf16(bits: &[u16], to: &mut [f32]) {
        for (to, bits) in to.iter_mut().zip(bits) {
            *to = f32::from_bits(u32::from(*bits) << 16);
        }
    }

    /// Converts numbers to BF16; rounds to the nearest, ties to even.
    pub(super) fn to_bf16(from: &[f32], to: &mut [u16]) {
        for (to, from) in to.iter_mut().zip(from) {
            *to = round_to_bf16(*from);
        }
    }
}

#[cfg(test)]
mod tests {
    use half::{bf16, f16};

    use super::*;

    #[test]
    fn every_half_is_converted_exactly() {
        let bits: Vec<u16> = (0..=u16::MAX).collect();
        let mut wide = vec![0.0; bits.len()];
        let mut back = vec![0; bits.len()];
        type Both = (fn(&[u16], &mut [f32]), fn(&[f32], &mut [u16]));
        let ways: [Both; 2] = [(from_f16, to_f16), (from_f16_by_bits, to_f16_by_bits)];
        for (widen, narrow) in ways {
            widen(&bits, &mut wide);
            narrow(&wide, &mut back);
            for ((bits, wide), back) in bits.iter().zip(&wide).zip(&back) {
                let expected = f16::from_bits(*bits);
                if expected.is_nan() {
                    assert!(wide.is_nan() && f16::from_bits(*back).is_nan(), "{bits:#x}");
                } else {
                    assert_eq!(wide.to_bits(), expected.to_f32().to_bits(), "{bits:#x}");
                    assert_eq!(back, bits);
                }
            }
        }
        from_bf16(&bits, &mut wide);
        to_bf16(&wide, &mut back);
        for ((bits, wide), back) in bits.iter().zip(&wide).zip(&back) {
            let expected = bf16::from_bits(*bits);
            let is_nan = expected.is_nan() && wide.is_nan() && bf16::from_bits(*back).is_nan();
            assert!(
                is_nan || (back == bits && wide.to_bits() == expected.to_f32().to_bits()),
                "{bits:#x}"
            );
        }
    }

    #[test]
    fn numbers_are_rounded_as_in_the_library() {
        let lower = [0, 1, 0x0fff, 0x1000, 0x1001, 0x1fff];
        let steps = (0..=u32::MAX >> 13)
            .flat_map(|upper| lower.map(|lower| f32::from_bits(upper << 13 | lower)));
        let numbers: Vec<f32> = steps.collect();
        let mut halves = vec![0; numbers.len()];
        for narrow in [to_f16, to_f16_by_bits] {
            narrow(&numbers, &mut halves);
            for (half, number) in halves.iter().zip(&numbers) {
                let expected = f16::from_f32(*number);
                let is_nan = number.is_nan() && f16::from_bits(*half).is_nan();
                assert!(
                    is_nan || *half == expected.to_bits(),
                    "{:#x}",
                    number.to_bits()
                );
            }
        }
    }
}
