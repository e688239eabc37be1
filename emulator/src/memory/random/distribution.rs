//! Elements of each data type from random words.
//!
//! This file does not depend on streams or devices, so the tests run on plain numbers. Floating-point numbers are
//! computed in `f64`, where differences do not overflow, and rounded at the end. So all types have the same
//! algorithm.

use std::f64::consts::TAU;

use half::{bf16, f16};

use super::generator::Words;

/// The limit of a truncated normal distribution, in standard deviations from the mean.
const CUT: f64 = 2.0;
/// The largest number of new draws for a number beyond the limit. One in twenty numbers is beyond it, so in practice
/// the search ends before. The limit guarantees that the task ends.
const REDRAWS: usize = 64;
/// The number of different words, which is the upper bound for thresholds.
const WORDS: f64 = 4_294_967_296.0;

/// A data type that random numbers may have.
pub(super) trait Number: Copy + PartialEq {
    /// Returns the value of a parameter's bits. The upper bits of a wider parameter are ignored.
    fn from_parameter(bits: u64) -> Self;

    /// Returns whether there are numbers from `min` to below `max`.
    fn is_range(min: Self, max: Self) -> bool;

    /// Returns a number from `min` to below `max`, which must be a range. All numbers have the same probability, up
    /// to one word more or less.
    fn uniform(words: &mut Words, min: Self, max: Self) -> Self;
}

/// A data type with normal distributions.
pub(super) trait Real: Number {
    /// Converts the number without loss.
    fn widen(self) -> f64;

    /// Returns the nearest number, or infinity. Types of 16 bits are rounded from `f32`.
    fn narrow(value: f64) -> Self;

    /// Returns the next smaller number.
    fn below(self) -> Self;
}

/// Implements the integers: the upper half of a random word times the length of the range is below the length.
macro_rules! integers {
    ($($number:ty, $unsigned:ty, $wide:ty, $draw:ident;)*) => { $(
        impl Number for $number {
            fn from_parameter(bits: u64) -> Self {
                // CAST: a parameter of this type has these lower bits.
                bits as Self
            }

            fn is_range(min: Self, max: Self) -> bool {
                min < max
            }

            fn uniform(words: &mut Words, min: Self, max: Self) -> Self {
                // CAST: the bits of the difference, which is not negative because `min < max`.
                let len = max.wrapping_sub(min) as $unsigned;
                let product = <$wide>::from(words.$draw()) * <$wide>::from(len);
                // CAST: the upper half, which is below `len`; the sum is in the range again.
                min.wrapping_add((product >> <$unsigned>::BITS) as Self)
            }
        }
    )* };
}

integers! {
    i32, u32, u64, word;
    u32, u32, u64, word;
    i64, u64, u128, double;
    u64, u64, u128, double;
}

/// Implements the floating-point types.
macro_rules! reals {
    ($($number:ty, $bits:ty, $widen:expr, $narrow:expr;)*) => { $(
        impl Number for $number {
            fn from_parameter(bits: u64) -> Self {
                // CAST: a parameter of this type has these lower bits.
                Self::from_bits(bits as $bits)
            }

            fn is_range(min: Self, max: Self) -> bool {
                min < max
            }

            fn uniform(words: &mut Words, min: Self, max: Self) -> Self {
                uniform(words, min, max)
            }
        }

        impl Real for $number {
            fn widen(self) -> f64 {
                $widen(self)
            }

            fn narrow(value: f64) -> Self {
                $narrow(value)
            }

            fn below(self) -> Self {
                let bits = self.to_bits();
                let sign = 1 << (<$bits>::BITS - 1);
                Self::from_bits(if bits & !sign == 0 {
                    // The smallest number below either zero.
                    sign | 1
                } else if bits & sign == 0 {
                    bits - 1
                } else {
                    bits.wrapping_add(1)
                })
            }
        }
    )* };
}

// CAST: rounds to the nearest number, as `narrow` requires.
reals! {
    f32, u32, f64::from, |value| value as f32;
    f16, u16, |number: f16| f64::from(number.to_f32()), |value| f16::from_f32(value as f32);
    bf16, u16, |number: bf16| f64::from(number.to_f32()), |value| bf16::from_f32(value as f32);
}

/// Returns a number from `min` to below `max`, made from 24 bits of a word, which is the precision of `f32`.
fn uniform<T: Real>(words: &mut Words, min: T, max: T) -> T {
    let part = f64::from(words.word() >> 8) / f64::from(1 << 24);
    let (low, high) = (min.widen(), max.widen());
    // The result is not below `min`: rounding preserves the order, and `min` itself is exact.
    let number = T::narrow(low + part * (high - low));
    // Rounding may give `max`, which is not in the range.
    if T::is_range(number, max) {
        number
    } else {
        max.below()
    }
}

/// Normally distributed numbers, two from each pair of words (Box and Muller).
#[derive(Debug, Default)]
pub(super) struct Normal {
    /// The second number of the last pair.
    spare: Option<f64>,
}

impl Normal {
    /// Returns a number with the mean 0 and the standard deviation 1.
    fn standard(&mut self, words: &mut Words) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        // The result is not 0, because 0 has no logarithm.
        let radius = (f64::from(words.word()) + 1.0) / WORDS;
        let angle = TAU * f64::from(words.word()) / WORDS;
        let length = (-2.0 * radius.ln()).sqrt();
        self.spare = Some(length * angle.sin());
        length * angle.cos()
    }

    /// Returns a number with this mean and standard deviation.
    pub(super) fn number<T: Real>(&mut self, words: &mut Words, mean: T, deviation: T) -> T {
        T::narrow(mean.widen() + deviation.widen() * self.standard(words))
    }

    /// Returns a number with this mean and standard deviation, at most two standard deviations from the mean.
    pub(super) fn truncated<T: Real>(&mut self, words: &mut Words, mean: T, deviation: T) -> T {
        let mut standard = self.standard(words);
        for _ in 0..REDRAWS {
            if standard.abs() <= CUT {
                break;
            }
            standard = self.standard(words);
        }
        T::narrow(mean.widen() + deviation.widen() * standard.clamp(-CUT, CUT))
    }
}

/// Returns eight bits of a dropout. The first `bits` are random, the others are 0. A bit is 1, which keeps its
/// element, unless its word is below the ratio.
pub(super) fn kept(words: &mut Words, ratio: f64, bits: usize) -> u8 {
    let bound = ratio.clamp(0.0, 1.0) * WORDS;
    (0..bits.min(8)).fold(0, |byte, bit| {
        let kept = f64::from(words.word()) >= bound;
        byte | u8::from(kept) << bit
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Words {
        Words::new(1, 0)
    }

    fn draw<T: Number>(min: T, max: T) -> Vec<T> {
        let mut words = words();
        (0..2000)
            .map(|_| T::uniform(&mut words, min, max))
            .collect()
    }

    #[test]
    fn integers_fill_their_range() {
        let drawn = draw(-3i32, 4);
        assert!((-3..4).all(|number| drawn.contains(&number)));
        assert!(drawn.iter().all(|number| (-3..4).contains(number)));
        assert!(draw(7u64, 8).iter().all(|&number| number == 7));
        assert!(draw(i64::MIN, i64::MAX).iter().any(|&number| number < 0));
        assert!(draw(i32::MIN, i32::MAX).iter().any(|&number| number > 0));
        assert!(draw(0, u32::MAX).iter().any(|&number| number > 1 << 31));
    }

    #[test]
    fn floats_never_reach_the_end_of_their_range() {
        // The range has two adjacent numbers, so half of the draws round up.
        let (one, two) = (f16::from_f32(1.0), f16::from_bits(0x3c01));
        assert!(draw(one, two).iter().all(|&number| number == one));
        let (one, two) = (bf16::from_f32(-1.0), bf16::from_f32(0.0));
        let drawn = draw(one, two);
        assert!(drawn.iter().all(|&number| number >= one && number < two));
        let drawn = draw(f32::MIN, f32::MAX);
        assert!(
            drawn
                .iter()
                .all(|number| (f32::MIN..f32::MAX).contains(number))
        );
        assert!(drawn.iter().any(|&number| number > 0.0));
    }

    #[test]
    fn the_number_below_is_the_next_one() {
        assert_eq!(1f32.below(), 1f32.next_down());
        assert_eq!((-1f32).below(), (-1f32).next_down());
        assert_eq!(0f32.below(), 0f32.next_down());
        assert_eq!((-0f32).below(), (-0f32).next_down());
        assert_eq!(f16::from_f32(2.0).below(), f16::from_bits(0x3fff));
        assert_eq!(bf16::from_f32(0.0).below(), bf16::from_bits(0x8001));
    }

    #[test]
    fn normal_numbers_have_their_mean_and_deviation() {
        let (mut words, mut normal) = (words(), Normal::default());
        let drawn: Vec<f64> = (0..4000).map(|_| normal.standard(&mut words)).collect();
        let mean = drawn.iter().sum::<f64>() / 4000.0;
        let variance = drawn.iter().map(|z| (z - mean).powi(2)).sum::<f64>() / 4000.0;
        assert!(
            mean.abs() < 0.05 && (variance - 1.0).abs() < 0.05,
            "{mean} {variance}"
        );
        assert!(drawn.iter().any(|z| z.abs() > CUT));
        for _ in 0..4000 {
            let number = normal.truncated(&mut words, 10f32, 3.0);
            assert!((4.0..=16.0).contains(&number), "{number}");
        }
    }

    #[test]
    fn a_dropout_keeps_what_its_ratio_leaves() {
        assert_eq!(kept(&mut words(), 0.0, 8), 0xff);
        assert_eq!(kept(&mut words(), 1.0, 8), 0);
        assert_eq!(kept(&mut words(), -1.0, 3), 0b111);
        assert_eq!(kept(&mut words(), f64::NAN, 8), 0);
    }
}
