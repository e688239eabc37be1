//! Kernels for functions of one number. A step converts, computes and stores a chunk of elements in registers, where
//! `pass` calls a function for each of the three. For results of half precision they have the shorter functions of
//! `f16_math`, which `pass` takes for such results too. So a result does not depend on the distance of the elements.
//!
//! A step reads each element before it stores the results at its place, so the results may replace the operand.
//!
//! A result for BF16 that is in the middle of two elements becomes the one with the larger absolute value. The functions
//! have such results only where they are rounded already, so neither element is nearer.

use ascendcl_sys::{ACL_BF16, ACL_FLOAT16, aclDataType};

use super::f16_math;
use super::number::{CHUNK, Number};
use super::real::Real;
use crate::wide::wide;

/// The function for the numbers of one chunk, as `pass` calls it.
type Chunked = fn(&[[f32; CHUNK]], &mut [f32; CHUNK]);

/// Computes a number of elements next to each other. With `true`, results that are aligned bypass the caches.
///
/// # Safety
///
/// - As many elements as the number says are readable at the first address and writable at the second one.
/// - No other thread writes the operands, or reads or writes the results, during the call.
/// - The processor has the features that [`Unary::dense`] asks for.
pub(super) type Dense = unsafe fn(*const u8, *mut u8, usize, bool);

/// A function of one number, in kernels for all types of single and half precision.
#[derive(Clone, Copy)]
pub(super) struct Unary {
    /// The functions for results of FLOAT16 and BF16.
    halves: [Chunked; 2],
    /// The kernels for FLOAT, FLOAT16 and BF16.
    #[cfg(target_arch = "x86_64")]
    dense: [Dense; 3],
}

/// A function of one number, for both precisions of its result.
trait Curve: 'static {
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "only the kernels of `dense` call it")
    )]
    fn single(x: f32) -> f32;
    fn half(x: f32) -> f32;
    /// Whether the kernel for FLOAT16 computes `half` in two loops, of `begin` and of `end`. The processor then overlaps
    /// more numbers, because each loop has fewer operations that wait for each other.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "only the kernels of `dense` ask for it")
    )]
    const IS_LONG: bool = false;
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "only the kernels of `dense` call it")
    )]
    #[inline(always)]
    fn begin(x: f32) -> f32 {
        x
    }
    /// Returns the result of `half` from the operand and the result of `begin`.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "only the kernels of `dense` call it")
    )]
    #[inline(always)]
    fn end(x: f32, _begun: f32) -> f32 {
        Self::half(x)
    }
}

/// Defines functions, each with its two formulas, and the halves of the second one if it is long.
macro_rules! curves {
    ($($(#[$doc:meta])* $name:ident = $single:expr, $half:expr $(, $begin:expr, $end:expr)?;)*) => {$(
        $(#[$doc])*
        pub(super) const $name: Unary = {
            struct Given;
            impl Curve for Given {
                #[inline(always)]
                fn single(x: f32) -> f32 { $single(x) }
                #[inline(always)]
                fn half(x: f32) -> f32 { $half(x) }
                $(
                    const IS_LONG: bool = true;
                    #[inline(always)]
                    fn begin(x: f32) -> f32 { $begin(x) }
                    #[inline(always)]
                    fn end(x: f32, begun: f32) -> f32 { $end(x, begun) }
                )?
            }
            Unary::of::<Given>()
        };
    )*};
}

#[inline(always)]
fn positive(x: f32) -> f32 {
    x.larger(0.0)
}

curves! {
    /// The number, or 0 for negative ones.
    RELU = positive, positive;
    /// `e` to the power of the number.
    EXP = Real::exp, f16_math::exp;
    /// The hyperbolic tangent.
    TANH = Real::tanh, f16_math::tanh;
    /// `1 / (1 + exp(-x))`.
    SIGMOID = Real::sigmoid, f16_math::sigmoid;
    /// The number times its sigmoid.
    SILU = Real::silu, f16_math::silu;
    /// Nearly the number times its normal distribution.
    GELU_TANH = Real::gelu_tanh, f16_math::gelu_tanh, f16_math::gelu_exponent, f16_math::gelu_of;
}

impl Unary {
    const fn of<C: Curve>() -> Self {
        Self {
            halves: [half::<C>, brain::<C>],
            #[cfg(target_arch = "x86_64")]
            dense: x86::kernels::<C>(),
        }
    }

    /// Returns the function for results of a data type if it has one of its own.
    pub(super) fn chunked(&self, dtype: aclDataType) -> Option<Chunked> {
        let [half, brain] = self.halves;
        match dtype {
            ACL_FLOAT16 => Some(half),
            ACL_BF16 => Some(brain),
            _ => None,
        }
    }

    /// Returns the kernel for operands and results of a data type. The processor may lack the features for it.
    pub(super) fn dense(&self, dtype: aclDataType) -> Option<Dense> {
        #[cfg(target_arch = "x86_64")]
        {
            use ascendcl_sys::ACL_FLOAT;
            let _ = super::machine::Avx2::detect()?;
            let [single, half, brain] = self.dense;
            match dtype {
                ACL_FLOAT => Some(single),
                ACL_FLOAT16 => Some(half),
                ACL_BF16 => Some(brain),
                _ => None,
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let _ = dtype;
            None
        }
    }
}

/// Computes a chunk of results of half precision.
fn half<C: Curve>(operands: &[[f32; CHUNK]], results: &mut [f32; CHUNK]) {
    #[inline(always)]
    fn body<C: Curve>(operands: &[[f32; CHUNK]], results: &mut [f32; CHUNK]) {
        let Some(operand) = operands.first() else {
            return;
        };
        for (result, one) in results.iter_mut().zip(operand) {
            *result = C::half(*one);
        }
    }
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,fma")]
        fn wide<C: Curve>(operands: &[[f32; CHUNK]], results: &mut [f32; CHUNK]) {
            body::<C>(operands, results);
        }
        if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma") {
            // SAFETY: the processor has AVX2 and FMA.
            return unsafe { wide::<C>(operands, results) };
        }
    }
    body::<C>(operands, results);
}

/// Computes a chunk of results for BF16: they are rounded to elements.
fn brain<C: Curve>(operands: &[[f32; CHUNK]], results: &mut [f32; CHUNK]) {
    half::<C>(operands, results);
    round_to_brain(results);
}

wide! {
    /// Rounds numbers to elements of BF16.
    fn round_to_brain(numbers: &mut [f32]) {
        for one in numbers {
            let rounded = f32::from_bits(one.to_bits().wrapping_add(MIDDLE) & 0xffff_0000);
            *one = if one.is_nan() { *one } else { rounded };
        }
    }
}

/// Half of the distance of two elements of BF16, as bits of single precision.
const MIDDLE: u32 = 0x8000;

/// The kernels for processors with vectors of 256 bits.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use half::{bf16, f16};

    use super::super::machine::{Avx2, STREAM_ALIGN, stream, stream_bytes};
    use super::{Curve, Dense, MIDDLE};

    /// The number of elements that are read before their results are stored.
    const BLOCK: usize = 64;

    /// An element of single or half precision.
    trait Stored: Copy {
        /// Computes a block. These are functions and not closures: a closure that is not inlined is compiled without the
        /// `target_feature` of the function around it.
        fn results<C: Curve>(machine: Avx2, block: &[Self; BLOCK]) -> [Self; BLOCK];
    }

    impl Stored for f32 {
        #[inline(always)]
        fn results<C: Curve>(_: Avx2, block: &[Self; BLOCK]) -> [Self; BLOCK] {
            let mut results = [0.0; BLOCK];
            for (result, one) in results.iter_mut().zip(block) {
                *result = C::single(*one);
            }
            results
        }
    }

    impl Stored for f16 {
        #[inline(always)]
        fn results<C: Curve>(machine: Avx2, block: &[Self; BLOCK]) -> [Self; BLOCK] {
            let mut results = [Self::ZERO; BLOCK];
            // Two vectors at a time: more than the processor has registers for would be stored on the way.
            let pairs = results.as_chunks_mut::<16>().0.iter_mut();
            for (results, pair) in pairs.zip(block.as_chunks::<16>().0) {
                let mut wide = [[0.0; 8]; 2];
                for (wide, eight) in wide.iter_mut().zip(pair.as_chunks().0) {
                    *wide = machine.widen_eight(eight);
                }
                for one in wide.as_flattened_mut() {
                    *one = C::half(*one);
                }
                for (result, eight) in results.as_chunks_mut().0.iter_mut().zip(&wide) {
                    *result = machine.narrow_eight(eight);
                }
            }
            results
        }
    }

    impl Stored for bf16 {
        /// Computes pairs of elements, which are the halves of 32 bits. NaN needs no care: it comes from an operand or from
        /// the arithmetic, so its lower half is 0, and nothing is carried to the upper one.
        #[inline(always)]
        fn results<C: Curve>(_: Avx2, block: &[Self; BLOCK]) -> [Self; BLOCK] {
            const UPPER: u32 = 0xffff_0000;
            // SAFETY: the elements have as many bits as the pairs, and all bit patterns are valid.
            let pairs: [u32; BLOCK / 2] = unsafe { core::mem::transmute_copy(block) };
            let (mut firsts, mut seconds) = ([0.0; BLOCK / 2], [0.0; BLOCK / 2]);
            for ((first, second), pair) in firsts.iter_mut().zip(&mut seconds).zip(pairs) {
                *first = f32::from_bits(pair << 16);
                *second = f32::from_bits(pair & UPPER);
            }
            for one in &mut firsts {
                *one = C::half(*one);
            }
            for one in &mut seconds {
                *one = C::half(*one);
            }
            let mut results = [0; BLOCK / 2];
            for ((pair, first), second) in results.iter_mut().zip(firsts).zip(seconds) {
                *pair = first.to_bits().wrapping_add(MIDDLE) >> 16
                    | second.to_bits().wrapping_add(MIDDLE) & UPPER;
            }
            // SAFETY: the pairs have as many bits as the elements, and all bit patterns are valid.
            unsafe { core::mem::transmute::<[u32; BLOCK / 2], [bf16; BLOCK]>(results) }
        }
    }

    /// Returns the kernels of a function.
    pub(super) const fn kernels<C: Curve>() -> [Dense; 3] {
        let half = if C::IS_LONG {
            walk_twice::<C>
        } else {
            walk_halves::<C>
        };
        [walk_singles::<C>, half, walk_brains::<C>]
    }

    /// Computes a block of elements, which is at the first address, and stores the results at the second one. They may be the same.
    type Step = unsafe fn(*const u8, *mut u8);

    /// Computes a block of elements of one type.
    ///
    /// # Safety
    ///
    /// - A block is readable at the first address and writable at the second one.
    /// - The processor has the features of [`Avx2`].
    #[target_feature(enable = "avx2,fma,f16c")]
    unsafe fn step<T: Stored, C: Curve>(from: *const u8, to: *mut u8) {
        let Some(machine) = Avx2::detect() else {
            return;
        };
        // SAFETY: the caller's contract, and any bits are elements.
        let block = unsafe { from.cast::<[T; BLOCK]>().read_unaligned() };
        let results = T::results::<C>(machine, &block);
        // SAFETY: the caller's contract.
        unsafe { to.cast::<[T; BLOCK]>().write_unaligned(results) };
    }

    /// The number of elements of a block of [`walk_twice`].
    const LONG_BLOCK: usize = 256;

    /// Computes elements of FLOAT16 next to each other, each block in two loops. The block is too large for registers, so the
    /// compiler cannot make one loop of both.
    ///
    /// # Safety
    ///
    /// - The contract of [`Dense`] holds.
    #[target_feature(enable = "avx2,fma,f16c")]
    unsafe fn walk_twice<C: Curve>(from: *const u8, to: *mut u8, count: usize, bypasses: bool) {
        let Some(machine) = Avx2::detect() else {
            return;
        };
        let (from, to) = (from.cast::<f16>(), to.cast::<f16>());
        let is_streaming = bypasses && to.addr().is_multiple_of(STREAM_ALIGN);
        let whole = count - count % LONG_BLOCK;
        let mut begun = [0.0; LONG_BLOCK];
        for block in (0..whole).step_by(LONG_BLOCK) {
            for (first, begun) in (block..).step_by(PAIR).zip(begun.as_chunks_mut::<PAIR>().0) {
                // SAFETY: the caller's contract: the pair of vectors is in the block.
                let operands = unsafe { pair(machine, from.wrapping_add(first)) };
                for (begun, one) in begun.iter_mut().zip(operands) {
                    *begun = C::begin(one);
                }
            }
            for (first, begun) in (block..).step_by(PAIR).zip(begun.as_chunks::<PAIR>().0) {
                // SAFETY: as above.
                let operands = unsafe { pair(machine, from.wrapping_add(first)) };
                let results = ended::<C>(machine, &operands, begun);
                let place = to.wrapping_add(first);
                if is_streaming {
                    // SAFETY: the caller's contract. The first place is aligned, and the size of a pair is a multiple of the
                    // alignment, so all places are aligned.
                    unsafe { stream(place, &results) };
                } else {
                    // SAFETY: the caller's contract.
                    unsafe { place.cast::<[f16; PAIR]>().write_unaligned(results) };
                }
            }
        }
        let (from, to) = (from.wrapping_add(whole), to.wrapping_add(whole));
        // SAFETY: the caller's contract: these elements are left.
        unsafe { walk_halves::<C>(from.cast(), to.cast(), count - whole, bypasses) };
    }

    /// The number of elements in two vectors.
    const PAIR: usize = 16;

    /// Reads the numbers of two vectors.
    ///
    /// # Safety
    ///
    /// - The elements are readable, and no other thread writes them during the call.
    #[inline(always)]
    unsafe fn pair(machine: Avx2, from: *const f16) -> [f32; PAIR] {
        // SAFETY: the caller's contract; any bits are elements.
        let elements = unsafe { from.cast::<[f16; PAIR]>().read_unaligned() };
        let mut numbers = [0.0; PAIR];
        let vectors = numbers.as_chunks_mut().0.iter_mut();
        for (vector, eight) in vectors.zip(elements.as_chunks().0) {
            *vector = machine.widen_eight(eight);
        }
        numbers
    }

    /// Returns the results of two vectors.
    #[inline(always)]
    fn ended<C: Curve>(machine: Avx2, operands: &[f32; PAIR], begun: &[f32; PAIR]) -> [f16; PAIR] {
        let mut numbers = [0.0; PAIR];
        for (number, (one, begun)) in numbers.iter_mut().zip(operands.iter().zip(begun)) {
            *number = C::end(*one, *begun);
        }
        let mut results = [f16::ZERO; PAIR];
        let vectors = results.as_chunks_mut().0.iter_mut();
        for (result, eight) in vectors.zip(numbers.as_chunks().0) {
            *result = machine.narrow_eight(eight);
        }
        results
    }

    /// Defines the kernels of each type of element.
    macro_rules! walks {
        ($($name:ident, $ty:ty;)*) => {$(
            /// Computes elements next to each other.
            ///
            /// # Safety
            ///
            /// - The contract of [`Dense`] holds.
            unsafe fn $name<C: Curve>(from: *const u8, to: *mut u8, count: usize, bypasses: bool) {
                // SAFETY: the caller's contract.
                unsafe { walk(step::<$ty, C>, size_of::<$ty>(), from, to, count, bypasses) };
            }
        )*};
    }
    walks! {
        walk_singles, f32;
        walk_halves, f16;
        walk_brains, bf16;
    }

    /// Computes elements next to each other, of so many bytes, block by block.
    ///
    /// # Safety
    ///
    /// - The contract of [`Dense`] holds, for elements of this size and the step of their type.
    unsafe fn walk(
        step: Step,
        size: usize,
        from: *const u8,
        to: *mut u8,
        count: usize,
        bypasses: bool,
    ) {
        let bypasses = bypasses && to.addr().is_multiple_of(STREAM_ALIGN);
        let (bytes, end) = (BLOCK * size, count * size);
        // Room for a block of elements of any size.
        let mut room = [0_u32; BLOCK];
        let room = room.as_mut_ptr().cast::<u8>();
        for first in (0..end).step_by(bytes) {
            let (from, to) = (from.wrapping_add(first), to.wrapping_add(first));
            let len = bytes.min(end - first);
            if len == bytes && !bypasses {
                // SAFETY: the caller's contract: this is a whole block.
                unsafe { step(from, to) };
                continue;
            }
            // SAFETY: the caller's contract; the room is large enough.
            unsafe { room.copy_from_nonoverlapping(from, len) };
            // SAFETY: the room has a block.
            unsafe { step(room.cast_const(), room) };
            // SAFETY: the room has these bytes.
            let results = unsafe { core::slice::from_raw_parts(room.cast_const(), len) };
            if bypasses {
                // SAFETY: the caller's contract. The first place is aligned, and the size of a block is a multiple of the
                // alignment, so all places are aligned.
                unsafe { stream_bytes(to, results) };
            } else {
                // SAFETY: the caller's contract.
                unsafe { to.copy_from_nonoverlapping(results.as_ptr(), len) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::indexing_slicing, reason = "a failed step is a failed test")]
    use half::{bf16, f16};

    use super::super::number::Number;
    use super::*;

    /// Returns the results of a kernel, in the place of the operands or beside them.
    fn run<T: Copy>(dense: Dense, numbers: &[T], is_in_place: bool, bypasses: bool) -> Vec<T> {
        let mut results = numbers.to_vec();
        let to = results.as_mut_ptr().cast::<u8>();
        let from = if is_in_place {
            to.cast_const()
        } else {
            numbers.as_ptr().cast()
        };
        // SAFETY: the vectors have as many elements, and `dense` was asked for on this processor.
        unsafe { dense(from, to, numbers.len(), bypasses) };
        super::super::machine::finish_streaming();
        results
    }

    /// Compares the kernels of a data type with the function for chunks, on every 97th number of it and the special ones.
    fn check<T: Copy + PartialEq + std::fmt::Debug>(dtype: aclDataType, all: &[T]) {
        for curve in [RELU, EXP, TANH, SIGMOID, SILU, GELU_TANH] {
            let Some(dense) = curve.dense(dtype) else {
                continue;
            };
            let of_chunk = curve.chunked(dtype);
            for len in [0, 1, 63, 64, 65, 256, 1000, all.len()] {
                let numbers = &all[..len];
                let results = run(dense, numbers, false, false);
                assert_eq!(bytes(&results), bytes(&run(dense, numbers, true, false)));
                assert_eq!(bytes(&results), bytes(&run(dense, numbers, false, true)));
                let Some(of_chunk) = of_chunk else {
                    continue;
                };
                for (numbers, results) in numbers.chunks(CHUNK).zip(results.chunks(CHUNK)) {
                    let mut operand = [0.0; CHUNK];
                    let mut expected = [0.0; CHUNK];
                    let mut stored = numbers.to_vec();
                    // SAFETY: the vector has these elements.
                    unsafe {
                        f32::load(
                            dtype,
                            stored.as_ptr().cast(),
                            size_of::<T>(),
                            &mut operand[..numbers.len()],
                        );
                    }
                    of_chunk(&[operand], &mut expected);
                    // SAFETY: the vector has these elements.
                    unsafe {
                        f32::store(
                            dtype,
                            &expected[..numbers.len()],
                            stored.as_mut_ptr().cast(),
                            size_of::<T>(),
                        );
                    }
                    for (got, (expected, number)) in
                        expected.iter().zip(results.iter().zip(&stored))
                    {
                        assert!(number == expected || got.is_nan(), "{got} {expected:?}");
                    }
                }
            }
        }
    }

    fn bytes<T>(numbers: &[T]) -> &[u8] {
        // SAFETY: the elements have no padding.
        unsafe { core::slice::from_raw_parts(numbers.as_ptr().cast(), size_of_val(numbers)) }
    }

    #[test]
    fn kernels_agree_with_the_functions_for_chunks() {
        let halves: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
        check(ACL_FLOAT16, &halves);
        let brains: Vec<bf16> = (0..=u16::MAX).map(bf16::from_bits).collect();
        check(ACL_BF16, &brains);
    }

    #[test]
    fn nan_of_half_precision_stays() {
        for curve in [RELU, EXP, TANH, SIGMOID, SILU, GELU_TANH] {
            let Some(dense) = curve.dense(ACL_BF16) else {
                continue;
            };
            let all: Vec<bf16> = (0..=u16::MAX).map(bf16::from_bits).collect();
            let nans: Vec<bf16> = all.into_iter().filter(|one| one.is_nan()).collect();
            assert!(
                run(dense, &nans, false, false)
                    .iter()
                    .all(|one| one.is_nan())
            );
        }
    }

    #[test]
    fn single_precision_has_the_formulas_of_the_operators() {
        let numbers: Vec<f32> = (0..=u32::MAX).step_by(99_991).map(f32::from_bits).collect();
        type Pair = (Unary, fn(f32) -> f32);
        let pairs: [Pair; 6] = [
            (RELU, positive),
            (EXP, Real::exp),
            (TANH, Real::tanh),
            (SIGMOID, Real::sigmoid),
            (SILU, Real::silu),
            (GELU_TANH, Real::gelu_tanh),
        ];
        for (curve, formula) in pairs {
            let Some(dense) = curve.dense(ascendcl_sys::ACL_FLOAT) else {
                continue;
            };
            for (got, number) in run(dense, &numbers, false, true).iter().zip(&numbers) {
                let expected = formula(*number);
                let is_same = got.to_bits() == expected.to_bits();
                assert!(is_same || (got.is_nan() && expected.is_nan()), "{number:e}");
            }
        }
    }
}
