//! What the processor at hand can do beyond the baseline of its architecture.
//!
//! The kernels are compiled once for each [`Machine`]. A value of one is the evidence that the
//! processor has its instructions: it is made by asking the processor, once per kernel.

use half::{f16, slice::HalfFloatSliceExt};

use super::element::CHUNK;

/// A set of instructions that kernels may use.
pub(super) trait Machine: Copy {
    /// Widens without loss.
    fn widen_f16(self, chunk: &[f16; CHUNK]) -> [f32; CHUNK];
    /// Rounds to the nearest, ties to even.
    fn narrow_f16(self, chunk: &[f32; CHUNK]) -> [f16; CHUNK];
}

/// The baseline of the architecture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Portable;

impl Machine for Portable {
    // Whole slices, because `half` looks for conversion instructions once per call.
    #[inline(always)]
    fn widen_f16(self, chunk: &[f16; CHUNK]) -> [f32; CHUNK] {
        let mut wide = [0.0; CHUNK];
        chunk.convert_to_f32_slice(&mut wide);
        wide
    }

    #[inline(always)]
    fn narrow_f16(self, chunk: &[f32; CHUNK]) -> [f16; CHUNK] {
        let mut narrow = [f16::ZERO; CHUNK];
        narrow.convert_from_f32_slice(chunk);
        narrow
    }
}

/// Stores a chunk past the caches where the processor can: for results too many to stay in a cache,
/// it spares memory the reading of lines that are about to be overwritten. After the last one,
/// [`finish_streaming`].
///
/// # Safety
///
/// `place` is writable for the chunk and aligned to [`STREAM_ALIGN`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) unsafe fn stream<T: Copy>(place: *mut T, chunk: &[T; CHUNK]) {
    use core::arch::x86_64::{__m128i, _mm_stream_si128};
    let (from, to) = (chunk.as_ptr().cast::<__m128i>(), place.cast::<__m128i>());
    for part in 0..size_of::<[T; CHUNK]>() / size_of::<__m128i>() {
        // SAFETY: the part is inside the chunk, whose elements have no padding to speak of.
        let part_of_chunk = unsafe { from.wrapping_add(part).read_unaligned() };
        // SAFETY: the caller's contract; SSE2 belongs to the baseline of x86-64.
        unsafe { _mm_stream_si128(to.wrapping_add(part), part_of_chunk) };
    }
}

/// As the variant for x86-64, with plain stores.
///
/// # Safety
///
/// `place` is writable for the chunk.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(super) unsafe fn stream<T: Copy>(place: *mut T, chunk: &[T; CHUNK]) {
    // SAFETY: the caller's contract.
    unsafe { place.cast::<[T; CHUNK]>().write_unaligned(*chunk) };
}

/// What [`stream`] needs of an address.
pub(super) const STREAM_ALIGN: usize = 16;

/// Orders the stores of [`stream`] before all that follow.
#[inline(always)]
pub(super) fn finish_streaming() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE belongs to the baseline of x86-64.
    unsafe {
        core::arch::x86_64::_mm_sfence();
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::Avx2;

/// Vectors of 256 bits and conversion of halves, which every x86 server since 2015 has.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{
        __m128i, __m256, _MM_FROUND_TO_NEAREST_INT, _mm256_cvtph_ps, _mm256_cvtps_ph,
    };

    use half::f16;

    use super::{CHUNK, Machine};

    /// Elements that one instruction converts.
    const LANES: usize = 8;

    /// The processor has AVX2 and F16C.
    ///
    /// # Invariants
    ///
    /// A value exists only where both were detected.
    #[derive(Debug, Clone, Copy)]
    pub(in super::super) struct Avx2(());

    impl Avx2 {
        /// Asks the processor.
        pub(in super::super) fn detect() -> Option<Self> {
            let present = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("f16c");
            // INVARIANT: made behind the question only.
            present.then_some(Self(()))
        }
    }

    impl Machine for Avx2 {
        #[inline(always)]
        fn widen_f16(self, chunk: &[f16; CHUNK]) -> [f32; CHUNK] {
            let mut wide = [0.0; CHUNK];
            let (to, from) = (
                wide.as_chunks_mut::<LANES>().0,
                chunk.as_chunks::<LANES>().0,
            );
            for (to, from) in to.iter_mut().zip(from) {
                // SAFETY: eight halves are 128 bits, and any bits are a vector.
                let halves: __m128i = unsafe { core::mem::transmute_copy(from) };
                // SAFETY: the invariant of `Avx2`.
                let floats: __m256 = unsafe { _mm256_cvtph_ps(halves) };
                // SAFETY: 256 bits are eight floats, and any bits are floats.
                *to = unsafe { core::mem::transmute::<__m256, [f32; LANES]>(floats) };
            }
            wide
        }

        #[inline(always)]
        fn narrow_f16(self, chunk: &[f32; CHUNK]) -> [f16; CHUNK] {
            let mut narrow = [f16::ZERO; CHUNK];
            let (to, from) = (
                narrow.as_chunks_mut::<LANES>().0,
                chunk.as_chunks::<LANES>().0,
            );
            for (to, from) in to.iter_mut().zip(from) {
                // SAFETY: eight floats are 256 bits, and any bits are a vector.
                let floats = unsafe { core::mem::transmute::<[f32; LANES], __m256>(*from) };
                // SAFETY: the invariant of `Avx2`.
                let halves = unsafe { _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(floats) };
                // SAFETY: 128 bits are eight halves, and any bits are halves.
                *to = unsafe { core::mem::transmute::<__m128i, [f16; LANES]>(halves) };
            }
            narrow
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every half, and floats around every rounding step, through both conversions of a machine.
    fn check(machine: impl Machine) {
        for bits in 0..=u16::MAX {
            let value = f16::from_bits(bits);
            let [wide, ..] = machine.widen_f16(&[value; CHUNK]);
            let [back, ..] = machine.narrow_f16(&[wide; CHUNK]);
            if value.is_nan() {
                assert!(wide.is_nan() && back.is_nan(), "{bits:#x}");
                continue;
            }
            assert_eq!(wide.to_bits(), value.to_f32().to_bits(), "{bits:#x}");
            assert_eq!(back.to_bits(), bits);
            let near: [f32; CHUNK] = core::array::from_fn(|step| {
                f32::from_bits(wide.to_bits().wrapping_add(step as u32 * 0x0400))
            });
            for (rounded, near) in machine.narrow_f16(&near).into_iter().zip(near) {
                let expected = f16::from_f32(near);
                let same = rounded.to_bits() == expected.to_bits();
                assert!(same || near.is_nan(), "{:#x}", near.to_bits());
            }
        }
    }

    #[test]
    fn the_baseline_converts_halves() {
        check(Portable);
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn avx2_converts_halves() {
        if let Some(machine) = Avx2::detect() {
            check(machine);
        }
    }
}
