//! Elements as they are stored in memory, and their conversions from and to the numbers of a calculation.

use half::{bf16, f16};

use super::number::Whole;

/// An element as it is stored in memory; all bit patterns are valid.
pub(super) trait Stored: Copy {
    fn to_f32(self) -> f32;
    fn to_f64(self) -> f64;
    fn to_whole(self) -> Whole;
    fn from_f32(value: f32) -> Self;
    fn from_f64(value: f64) -> Self;
    fn from_whole(value: Whole) -> Self;
}

/// Implements the types that Rust converts as the operators do: a fraction is cut off, NaN becomes 0, and a number
/// that is too large becomes the largest.
macro_rules! converted_by_rust {
    ($($ty:ty)*) => { converted_by_rust!(|value| value, value => $($ty)*); };
    (|$value:ident| $cut:expr, $cut_double:expr => $($ty:ty)*) => {$(
        // CAST: the conversion of Rust is the conversion of the manual.
        impl Stored for $ty {
            #[inline(always)]
            fn to_f32(self) -> f32 { self as f32 }
            #[inline(always)]
            fn to_f64(self) -> f64 { self as f64 }
            #[inline(always)]
            fn to_whole(self) -> Whole { Whole(self as i64) }
            #[inline(always)]
            fn from_f32($value: f32) -> Self { $cut as $ty }
            #[inline(always)]
            fn from_f64($value: f64) -> Self { $cut_double as $ty }
            #[inline(always)]
            fn from_whole(value: Whole) -> Self { value.0 as $ty }
        }
    )*};
}
converted_by_rust!(f32 f64 i64 u32 u64);
converted_by_rust!(|value| cut(value, Self::MIN as f32, Self::MAX as f32), cut_double(value, Self::MIN.into(), Self::MAX.into()) => i8 i16 u8 u16);
converted_by_rust!(|value| whole(value), cut_double(value, Self::MIN.into(), Self::MAX.into()) => i32);

/// `2^31`, and the largest number of single precision below it.
const TOO_LARGE: f32 = 2_147_483_648.0;
const LARGEST: f32 = 2_147_483_520.0;

/// Returns a number as `i32`, as `as` converts it.
#[inline(always)]
fn whole(value: f32) -> i32 {
    let cut = cut(value, -TOO_LARGE, LARGEST);
    if value >= TOO_LARGE { i32::MAX } else { cut }
}

/// Returns a number without its fraction, as `as` converts it to a type with these limits, which are those of `i32` or less. The
/// compiler makes no vectors of `as` itself.
#[inline(always)]
fn cut(value: f32, least: f32, most: f32) -> i32 {
    let value = if value.is_nan() { 0.0 } else { value };
    let value = super::f32_math::limited(value, least, most);
    // SAFETY: the number is not NaN, and it is between the limits.
    unsafe { value.to_int_unchecked() }
}

/// Does what [`cut`] does with a number of double precision, which has all limits.
#[inline(always)]
fn cut_double(value: f64, least: f64, most: f64) -> i32 {
    let value = if value.is_nan() { 0.0 } else { value };
    let value = if value < least { least } else { value };
    let value = if value > most { most } else { value };
    // SAFETY: the number is not NaN, and it is between the limits.
    unsafe { value.to_int_unchecked() }
}

/// Rounds a number that single precision does not have to the neighbour whose last bit is 1. So rounding the result to
/// half precision gives the same as rounding the number once.
#[inline(always)]
pub(super) fn rounded_to_odd(value: f64) -> f32 {
    // CAST: the nearest number, or infinity.
    let nearest = value as f32;
    let wide = f64::from(nearest);
    let is_beyond = wide.abs() > value.abs();
    let odd = f32::from_bits(nearest.to_bits().wrapping_sub(u32::from(is_beyond)) | 1);
    if (wide == value) | !nearest.is_finite() {
        nearest
    } else {
        odd
    }
}

/// Implements the types of half precision.
macro_rules! halves {
    ($($ty:ty)*) => {$(
        impl Stored for $ty {
            #[inline(always)]
            fn to_f32(self) -> f32 { <$ty>::to_f32(self) }
            #[inline(always)]
            fn to_f64(self) -> f64 { <$ty>::to_f64(self) }
            #[inline(always)]
            fn to_whole(self) -> Whole { Whole(<$ty>::to_f32(self) as i64) }
            #[inline(always)]
            fn from_f32(value: f32) -> Self { <$ty>::from_f32(value) }
            #[inline(always)]
            fn from_f64(value: f64) -> Self { <$ty>::from_f32(rounded_to_odd(value)) }
            #[inline(always)]
            fn from_whole(value: Whole) -> Self { Self::from_f64(value.0 as f64) }
        }
    )*};
}
halves!(f16 bf16);

/// A truth value: a byte that is 0 or not.
#[derive(Clone, Copy)]
pub(super) struct Truth(u8);

impl Stored for Truth {
    fn to_f32(self) -> f32 {
        f32::from(self.0 != 0)
    }
    fn to_f64(self) -> f64 {
        f64::from(self.0 != 0)
    }
    fn to_whole(self) -> Whole {
        Whole(i64::from(self.0 != 0))
    }
    fn from_f32(value: f32) -> Self {
        Self(u8::from(value != 0.0))
    }
    fn from_f64(value: f64) -> Self {
        Self(u8::from(value != 0.0))
    }
    fn from_whole(value: Whole) -> Self {
        Self(u8::from(value.0 != 0))
    }
}

#[cfg(test)]
mod tests {
    use half::{bf16, f16};

    use super::{Stored, rounded_to_odd};

    /// Numbers around the limits of all types, and every 9,973rd one.
    #[test]
    fn fractions_are_cut_off_as_rust_does_it() {
        let near =
            |center: f32| (0..9).map(move |step| f32::from_bits(center.to_bits() + step - 4));
        let limits = [
            128.0,
            255.0,
            256.0,
            32_768.0,
            65_536.0,
            2_147_483_648.0,
            0.5,
            1.0,
            f32::MAX,
        ];
        let limits = limits
            .into_iter()
            .flat_map(near)
            .flat_map(|one| [one, -one]);
        for x in (0..=u32::MAX)
            .step_by(9_973)
            .map(f32::from_bits)
            .chain(limits)
        {
            let got = (
                i8::from_f32(x),
                i16::from_f32(x),
                i32::from_f32(x),
                u8::from_f32(x),
                u16::from_f32(x),
            );
            assert_eq!(
                got,
                (x as i8, x as i16, x as i32, x as u8, x as u16),
                "{x:e}"
            );
            let x = f64::from(x);
            for x in [x, x.next_up(), x.next_down()] {
                let got = (
                    i8::from_f64(x),
                    i16::from_f64(x),
                    i32::from_f64(x),
                    u8::from_f64(x),
                    u16::from_f64(x),
                );
                let expected = (x as i8, x as i16, x as i32, x as u8, x as u16);
                assert_eq!(got, expected, "{x:e}");
            }
        }
    }

    /// Numbers just beside the middle between two halves: rounded twice, they would be taken for the middle.
    #[test]
    fn double_precision_is_rounded_once() {
        for (value, expected) in [
            (2_049.0, 2_048.0),
            (2_049.000_000_1, 2_050.0),
            (-2_049.000_000_1, -2_050.0),
            (2_050.999_999_9, 2_050.0),
            (1.000_488_281_250_001, 1.000_976_562_5),
            (65_519.999_999, 65_504.0),
            (65_520.0, f64::INFINITY),
            (1e300, f64::INFINITY),
            (1e-300, 0.0),
        ] {
            assert_eq!(
                <f16 as Stored>::from_f64(value).to_f64(),
                expected,
                "{value}"
            );
        }
        for (value, expected) in [(257.0, 256.0), (257.000_001, 258.0), (-257.000_001, -258.0)] {
            assert_eq!(
                <bf16 as Stored>::from_f64(value).to_f64(),
                expected,
                "{value}"
            );
        }
        assert!(rounded_to_odd(f64::NAN).is_nan());
        assert_eq!(rounded_to_odd(-0.0).to_bits(), (-0.0f32).to_bits());
        assert_eq!(rounded_to_odd(0.1).to_bits() & 1, 1);
    }
}
