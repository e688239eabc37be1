//! Instructions of the processor beyond the baseline of its architecture.
//!
//! The kernels are compiled once for each [`Machine`]. A value of a machine type proves that the processor has the
//! instructions: the constructor checks the processor, once per kernel.

use half::{f16, slice::HalfFloatSliceExt};

use super::element::CHUNK;

/// A set of instructions that kernels may use.
pub(super) trait Machine: Copy {
    /// Converts a chunk of halves to floats without loss.
    fn widen_f16(self, chunk: &[f16; CHUNK]) -> [f32; CHUNK];
    /// Converts a chunk of floats to halves; rounds to the nearest, ties to even.
    fn narrow_f16(self, chunk: &[f32; CHUNK]) -> [f16; CHUNK];
}

/// The baseline of the architecture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Portable;

impl Machine for Portable {
    // Whole slices are converted, because `half` checks for conversion instructions in each call.
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

/// The number of bytes of results from which on they bypass the caches. Measured on a machine with a shared cache of
/// 32 MiB: sums of 64 MiB then take three quarters of the time. Smaller results are faster in the cache.
pub(super) const STREAM_FROM: usize = 16 << 20;

/// Stores a chunk with non-temporal stores, which bypass the caches. For results that are too large for a cache, the
/// processor then does not read lines that it overwrites. The caller calls [`finish_streaming`] after the last chunk.
///
/// # Safety
///
/// - `place` is writable for the chunk and aligned to [`STREAM_ALIGN`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) unsafe fn stream<T: Copy, const N: usize>(place: *mut T, chunk: &[T; N]) {
    use core::arch::x86_64::{__m128i, _mm_stream_si128};
    let (from, to) = (chunk.as_ptr().cast::<__m128i>(), place.cast::<__m128i>());
    const { assert!(size_of::<[T; N]>().is_multiple_of(STREAM_ALIGN)) };
    for part in 0..size_of::<[T; N]>() / size_of::<__m128i>() {
        // SAFETY: the part is inside the chunk, and the elements have no padding.
        let part_of_chunk = unsafe { from.wrapping_add(part).read_unaligned() };
        // SAFETY: the caller's contract; SSE2 belongs to the baseline of x86-64.
        unsafe { _mm_stream_si128(to.wrapping_add(part), part_of_chunk) };
    }
}

/// Stores a chunk with plain stores: this architecture has no variant that bypasses the caches.
///
/// # Safety
///
/// - `place` is writable for the chunk.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(super) unsafe fn stream<T: Copy, const N: usize>(place: *mut T, chunk: &[T; N]) {
    // SAFETY: the caller's contract.
    unsafe { place.cast::<[T; N]>().write_unaligned(*chunk) };
}

/// Stores bytes as [`stream`] stores a chunk.
///
/// # Safety
///
/// - `place` is writable for the bytes and aligned to [`STREAM_ALIGN`].
pub(super) unsafe fn stream_bytes(place: *mut u8, bytes: &[u8]) {
    let (lines, rest) = bytes.as_chunks::<LINE>();
    for (index, line) in lines.iter().enumerate() {
        // SAFETY: the caller's contract: a line is a multiple of the alignment, so each place is aligned.
        unsafe { stream(place.wrapping_add(index * LINE), line) };
    }
    let end = place.wrapping_add(bytes.len() - rest.len());
    // SAFETY: the caller's contract; the bytes are borrowed, so they are in other memory.
    unsafe { end.copy_from_nonoverlapping(rest.as_ptr(), rest.len()) };
}

/// Asks the processor to read a line of memory into its caches. The address may be any: this is no access.
#[inline(always)]
pub(super) fn prefetch(place: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE belongs to the baseline of x86-64, and its instruction ignores addresses without memory.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(place.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// The size of a line of a cache, in bytes.
pub(super) const LINE: usize = 64;

/// The number of elements that [`aligned`] needs beside those that it returns.
pub(super) const fn spare<W>() -> usize {
    LINE / size_of::<W>()
}

/// Returns `len` elements of a slice that has [`spare`] more. They begin with a line of a cache, so each vector is in one
/// line. A kernel for rows takes up to half as long again where vectors are in two lines.
pub(super) fn aligned<W>(elements: &mut [W], len: usize) -> &mut [W] {
    let first = elements.as_ptr().align_offset(LINE);
    let first = if first <= spare::<W>() { first } else { 0 };
    elements.get_mut(first..first + len).unwrap_or_default()
}

/// The alignment of addresses for [`stream`].
pub(super) const STREAM_ALIGN: usize = 16;

/// Orders the stores of [`stream`] before all later stores.
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

/// Vectors of 256 bits and instructions that convert halves. Every x86 server since 2015 has them.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{
        __m128i, __m256, _MM_FROUND_TO_NEAREST_INT, _mm256_cvtph_ps, _mm256_cvtps_ph,
    };

    use half::f16;

    use super::{CHUNK, Machine};

    /// The number of elements that one instruction converts.
    const LANES: usize = 8;

    /// The proof that the processor has AVX2, FMA and F16C.
    ///
    /// # Invariants
    ///
    /// A value exists only if the three features were detected.
    #[derive(Debug, Clone, Copy)]
    pub(in super::super) struct Avx2(());

    impl Avx2 {
        /// Checks whether the processor has AVX2, FMA and F16C.
        pub(in super::super) fn detect() -> Option<Self> {
            let present = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("f16c");
            // INVARIANT: `present` is true only if the three features were detected.
            present.then_some(Self(()))
        }
    }

    impl Avx2 {
        /// Converts eight halves to floats without loss.
        #[inline(always)]
        pub(in super::super) fn widen_eight(self, halves: &[f16; LANES]) -> [f32; LANES] {
            // SAFETY: eight halves are 128 bits, and all bit patterns are valid vectors.
            let halves: __m128i = unsafe { core::mem::transmute_copy(halves) };
            // SAFETY: the invariant of `Avx2`.
            let floats: __m256 = unsafe { _mm256_cvtph_ps(halves) };
            // SAFETY: 256 bits are eight floats, and all bit patterns are valid floats.
            unsafe { core::mem::transmute::<__m256, [f32; LANES]>(floats) }
        }

        /// Converts eight floats to halves; rounds to the nearest, ties to even.
        #[inline(always)]
        pub(in super::super) fn narrow_eight(self, floats: &[f32; LANES]) -> [f16; LANES] {
            // SAFETY: eight floats are 256 bits, and all bit patterns are valid vectors.
            let floats = unsafe { core::mem::transmute::<[f32; LANES], __m256>(*floats) };
            // SAFETY: the invariant of `Avx2`.
            let halves = unsafe { _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(floats) };
            // SAFETY: 128 bits are eight halves, and all bit patterns are valid halves.
            unsafe { core::mem::transmute::<__m128i, [f16; LANES]>(halves) }
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
                *to = self.widen_eight(from);
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
                *to = self.narrow_eight(from);
            }
            narrow
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::indexing_slicing, reason = "a failed step is a failed test")]
    use super::*;

    /// Checks both conversions of a machine with every half, and with floats around every rounding step.
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
    fn aligned_elements_begin_with_a_line() {
        for len in [0, 1, 100] {
            let mut elements = vec![1f32; len + spare::<f32>() + 3];
            for skipped in 0..3 {
                let row = aligned(&mut elements[skipped..], len);
                assert_eq!((row.len(), row.as_ptr().addr() % LINE), (len, 0));
            }
            assert_eq!(
                aligned(&mut vec![1f64; len + spare::<f64>()], len).len(),
                len
            );
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
