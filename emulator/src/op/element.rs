//! The arithmetic of each data type of the element-wise operators.
//!
//! The kernels work on arrays of [`CHUNK`] elements: the compiler turns a loop over an array of fixed length into
//! vector instructions.

use half::{bf16, f16};

use super::machine::Machine;

/// The number of elements that are widened, computed and narrowed at a time.
pub(super) const CHUNK: usize = 32;

/// A data type as it is stored in memory.
///
/// All bit patterns are valid, so any device memory may be read as elements.
pub(super) trait Element: Copy + Send + 'static {
    /// The type of the arithmetic.
    type Wide: Arithmetic;
    /// The value that fills the unused end of a partial chunk.
    const ZERO: Self;
    /// Converts without loss.
    fn widen(machine: impl Machine, chunk: &[Self; CHUNK]) -> [Self::Wide; CHUNK];
    /// Converts back, rounding to the nearest, ties to even.
    fn narrow(machine: impl Machine, chunk: &[Self::Wide; CHUNK]) -> [Self; CHUNK];
}

/// Addition and multiplication: IEEE for floating point, modulo 2^n for integers.
pub(super) trait Arithmetic: Copy + Default + PartialEq + Send + Sync + 'static {
    /// The neutral element of multiplication.
    const ONE: Self;
    /// The sum.
    fn plus(self, other: Self) -> Self;
    /// The product.
    fn times(self, other: Self) -> Self;
}

/// The function of an operator on one element of each operand.
#[derive(Debug, Clone, Copy)]
pub(super) enum Function<W> {
    /// `left + right`.
    Sum,
    /// `left + factor * right`; the product and the sum are both rounded, as in the manual's formula.
    ScaledSum(W),
    /// `left * right`.
    Product,
    /// `left * factor`.
    Scaled(W),
}

impl<W: Arithmetic> Function<W> {
    /// Computes the elements of `out` for a chunk. The function is chosen once for a chunk, so that each data type
    /// has one kernel for all functions. This makes the code a third of the size.
    #[inline(always)]
    pub(super) fn apply(self, left: &[W; CHUNK], right: &[W; CHUNK]) -> [W; CHUNK] {
        let mut results = [W::default(); CHUNK];
        let pairs = results.iter_mut().zip(left.iter().zip(right));
        match self {
            Function::Sum => {
                for (result, (left, right)) in pairs {
                    *result = left.plus(*right);
                }
            }
            Function::ScaledSum(factor) => {
                for (result, (left, right)) in pairs {
                    *result = left.plus(factor.times(*right));
                }
            }
            Function::Product => {
                for (result, (left, right)) in pairs {
                    *result = left.times(*right);
                }
            }
            Function::Scaled(factor) => {
                for (result, (left, _)) in pairs {
                    *result = left.times(factor);
                }
            }
        }
        results
    }
}

impl Arithmetic for f32 {
    const ONE: Self = 1.0;
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self * other
    }
}

/// Implements the arithmetic of integers, which wrap around.
macro_rules! wrapping {
    ($($int:ty),*) => {$(
        impl Arithmetic for $int {
            const ONE: Self = 1;
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
        }
    )*};
}
wrapping!(i32, i64);

/// Implements the types that the processor computes in directly.
macro_rules! as_it_is {
    ($($ty:ty = $zero:literal),*) => {$(
        impl Element for $ty {
            type Wide = $ty;
            const ZERO: Self = $zero;
            #[inline(always)]
            fn widen(_: impl Machine, chunk: &[Self; CHUNK]) -> [Self; CHUNK] {
                *chunk
            }
            #[inline(always)]
            fn narrow(_: impl Machine, chunk: &[Self; CHUNK]) -> [Self; CHUNK] {
                *chunk
            }
        }
    )*};
}
as_it_is!(f32 = 0.0, i32 = 0, i64 = 0);

impl Element for f16 {
    type Wide = f32;
    const ZERO: Self = Self::ZERO;

    #[inline(always)]
    fn widen(machine: impl Machine, chunk: &[Self; CHUNK]) -> [f32; CHUNK] {
        machine.widen_f16(chunk)
    }

    #[inline(always)]
    fn narrow(machine: impl Machine, chunk: &[f32; CHUNK]) -> [Self; CHUNK] {
        machine.narrow_f16(chunk)
    }
}

impl Element for bf16 {
    type Wide = f32;
    const ZERO: Self = Self::ZERO;

    #[inline(always)]
    fn widen(_: impl Machine, chunk: &[Self; CHUNK]) -> [f32; CHUNK] {
        let mut wide = [0.0; CHUNK];
        for (wide, value) in wide.iter_mut().zip(chunk) {
            *wide = f32::from_bits(u32::from(value.to_bits()) << 16);
        }
        wide
    }

    #[inline(always)]
    fn narrow(_: impl Machine, chunk: &[f32; CHUNK]) -> [Self; CHUNK] {
        let mut narrow = [Self::ZERO; CHUNK];
        for (narrow, value) in narrow.iter_mut().zip(chunk) {
            *narrow = Self::from_bits(round_to_bf16(*value));
        }
        narrow
    }
}

/// Returns the upper half of a float, rounded to the nearest, ties to even. The code has no branches, so that it
/// vectorises. A NaN stays a NaN: its quiet bit is set and no carry reaches its exponent.
#[inline(always)]
pub(super) fn round_to_bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    let odd = (bits >> 16) & 1;
    // Only a NaN with all bits set could overflow here, and for a NaN this result is not used.
    let rounded = bits.wrapping_add(0x7fff + odd) >> 16;
    let quiet = (bits >> 16) | 0x40;
    // CAST: both values were shifted right and have sixteen bits.
    (if value.is_nan() { quiet } else { rounded }) as u16
}

#[cfg(test)]
mod tests {
    use super::{super::machine::Portable, *};

    #[test]
    fn bf16_rounding_agrees_with_half() {
        // Every upper half with the lower halves around the tie, and a stride through the rest.
        for upper in 0..=u16::MAX {
            for lower in [0, 1, 0x7fff, 0x8000, 0x8001, 0xffff] {
                let value = f32::from_bits(u32::from(upper) << 16 | lower);
                let expected = bf16::from_f32(value).to_bits();
                assert_eq!(round_to_bf16(value), expected, "{:#x}", value.to_bits());
            }
        }
        for bits in (0..=u32::MAX).step_by(65_521) {
            let value = f32::from_bits(bits);
            assert_eq!(
                round_to_bf16(value),
                bf16::from_f32(value).to_bits(),
                "{bits:#x}"
            );
        }
    }

    #[test]
    fn every_bf16_survives_widening_and_narrowing() {
        for bits in 0..=u16::MAX {
            let value = bf16::from_bits(bits);
            let wide = bf16::widen(Portable, &[value; CHUNK]);
            let [back, ..] = bf16::narrow(Portable, &wide);
            let same = back.to_bits() == bits;
            assert!(same || (back.is_nan() && value.is_nan()), "{bits:#x}");
        }
    }

    #[test]
    fn integers_wrap() {
        assert_eq!(i32::MAX.plus(1), i32::MIN);
        assert_eq!(i64::MIN.times(-1), i64::MIN);
        let most = [i32::MAX; CHUNK];
        let sums = Function::ScaledSum(2).apply(&most, &most);
        assert_eq!(sums, [i32::MAX - 2; CHUNK]);
    }
}
