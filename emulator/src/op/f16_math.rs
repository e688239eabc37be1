//! Functions of real numbers for results of half precision. They have fewer factors than those of `f32_math`, and no
//! branches and calls either, so that the compiler makes vector instructions of a loop over them.
//!
//! The arithmetic is that of single precision. The errors are below 2^-15 of the result, which is an eighth of half a unit
//! of FLOAT16. So a rounded result is the nearest number or, rarely, the one beside it; `tests` tries all numbers of both
//! types. The results are the same bits on each processor.

use super::f32_math::{GELU, ROUNDING, limited, polynomial, split};

/// The factors of `2^x` for numbers up to 1/2, with either sign.
const POWER: [f32; 5] = [
    0.999_999_3,
    0.693_121_8,
    0.240_247_44,
    0.055_917_86,
    0.009_570_101,
];

/// The factors of the even part of the quotient whose value is `2^(4 * x)`, for numbers up to 1/8 with either sign.
const EVEN: f32 = 0.721_341_1;
const EVEN_SQUARE: f32 = 0.461_828_9;

/// Returns `e` to the power of a number.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    const FACTOR: f32 = core::f32::consts::LOG2_E / 2.0;
    // The results at the limits are 0 and infinity, also in BF16.
    let x = limited(x, -104.0, 89.0);
    // The exponent is even as in `f32_math::exp`, so this is a power of 4.
    let (half, root) = split(x, FACTOR, 0.0);
    let power = polynomial(
        x.mul_add(FACTOR, -half),
        [
            1.000_003_9,
            1.386_268,
            0.960_586_13,
            0.444_414_4,
            0.157_497_63,
            0.041_940_942,
        ],
    );
    power * root * root
}

/// Returns `e` to the power of a number that is not positive; 0 if the result is below 2^-126.
#[inline(always)]
pub(super) fn exp_to_one(x: f32) -> f32 {
    const FACTOR: f32 = core::f32::consts::LOG2_E;
    // The power of 2 is 0 at the limit.
    let x = if x < -88.0 { -88.0 } else { x };
    let (whole, power) = split(x, FACTOR, 0.0);
    polynomial(x.mul_add(FACTOR, -whole), POWER) * power
}

/// Powers for softmax. All are divided by the same power of 2, so that the largest one is nearly 1.
///
/// # Invariants
///
/// - `bias` is a whole number between `2^23` and `2^24`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Powers {
    /// The smallest number whose power is not 0.
    least: f32,
    /// The number for [`split`] that also subtracts the exponent of the divisor.
    bias: f32,
}

impl Powers {
    /// Returns the powers of numbers up to `most`. Returns `None` if the exponents may have too many bits.
    #[inline(always)]
    pub(super) fn up_to(most: f32) -> Option<Self> {
        let (exponent, _) = split(most, core::f32::consts::LOG2_E, 0.0);
        // INVARIANT: the exponent is below 2^21, with either sign.
        (most.abs() < 1_048_576.0).then_some(Self {
            least: most - 88.0,
            bias: ROUNDING + 127.0 - exponent,
        })
    }

    /// Returns `e` to the power of a number that is at most `most`, divided by the common power of 2; 0 if the result is
    /// below 2^-126. There is no subtraction of `most`, which would be one more operation.
    #[inline(always)]
    pub(super) fn of(&self, x: f32) -> f32 {
        const FACTOR: f32 = core::f32::consts::LOG2_E;
        let x = if x < self.least { self.least } else { x };
        let shifted = x.mul_add(FACTOR, self.bias);
        let rest = x.mul_add(FACTOR, -(shifted - self.bias));
        polynomial(rest, POWER) * f32::from_bits(shifted.to_bits() << 23)
    }
}

/// Returns `1 + exp(-x)`: infinity below -88.38.
#[inline(always)]
fn one_and_exp_of_negative(x: f32) -> f32 {
    const FACTOR: f32 = -core::f32::consts::LOG2_E;
    // The power of 2 is infinite at the lower limit, and 0 at the upper one.
    let x = limited(x, -88.5, 87.5);
    let (whole, power) = split(x, FACTOR, 0.0);
    polynomial(x.mul_add(FACTOR, -whole), POWER).mul_add(power, 1.0)
}

/// Returns `1 / (1 + exp(-x))`.
#[inline(always)]
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / one_and_exp_of_negative(x)
}

/// Returns the number times its [`sigmoid`].
#[inline(always)]
pub(super) fn silu(x: f32) -> f32 {
    x / one_and_exp_of_negative(x)
}

/// Returns nearly the number times its normal distribution, with the hyperbolic tangent.
#[inline(always)]
pub(super) fn gelu_tanh(x: f32) -> f32 {
    gelu_of(x, gelu_exponent(x))
}

/// The first half of [`gelu_tanh`]: a quarter of the exponent of the power of 2 in its divisor.
#[inline(always)]
pub(super) fn gelu_exponent(x: f32) -> f32 {
    const LINE: f32 = -core::f32::consts::LOG2_E / 4.0 * GELU[0];
    const CUBE: f32 = -core::f32::consts::LOG2_E / 4.0 * GELU[1];
    // The power is 0 at the lower limit and infinite at the upper one.
    limited(x * (x * x).mul_add(CUBE, LINE), -31.75, 32.0)
}

/// The second half of [`gelu_tanh`].
///
/// The power of the fraction of the exponent is a quotient, `(even + rest) / (even - rest)`. It needs no division of its own,
/// and fewer products than a sum. Quarters keep both below 1, so that no product with a large number is infinite.
#[inline(always)]
pub(super) fn gelu_of(x: f32, exponent: f32) -> f32 {
    // The smallest step of this sum is 1/4.
    const BIAS: f32 = ROUNDING / 4.0 + 127.0 / 4.0;
    let shifted = exponent + BIAS;
    let power = f32::from_bits(shifted.to_bits() << 23);
    let rest = exponent - (shifted - BIAS);
    let even = (rest * rest).mul_add(EVEN_SQUARE, EVEN);
    let divisor = even - rest;
    x * divisor / power.mul_add(even + rest, divisor)
}

/// Returns the hyperbolic tangent.
#[inline(always)]
pub(super) fn tanh(x: f32) -> f32 {
    // The results at the limits are rounded to -1 and 1.
    let x = limited(x, -4.6, 4.6);
    let square = x * x;
    let dividend = polynomial(square, [0.999_998_9, 0.117_271_066, 0.001_685_215_9]);
    let divisor = [1.0, 0.450_595_05, 0.018_563_656, 6.788_730_4e-5];
    x * dividend / polynomial(square, divisor)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
    use half::{bf16, f16};

    use super::*;

    /// All numbers of FLOAT16 and of BF16 with the way to round to their type.
    fn numbers() -> impl Iterator<Item = (f32, fn(f64) -> f64)> {
        (0..=u16::MAX).flat_map(|bits| {
            let halves: (f32, fn(f64) -> f64) =
                (f16::from_bits(bits).to_f32(), |x| f16::from_f64(x).to_f64());
            let brains: (f32, fn(f64) -> f64) = (bf16::from_bits(bits).to_f32(), |x| {
                bf16::from_f64(x).to_f64()
            });
            [halves, brains]
        })
    }

    /// Compares with double precision. `least` is the size of results that have fewer bits.
    fn check(name: &str, least: f64, short: fn(f32) -> f32, double: fn(f64) -> f64) {
        let (mut all, mut beside) = (0, 0);
        for (x, round) in numbers() {
            let (got, exact) = (f64::from(short(x)), double(x.into()));
            if exact.is_nan() {
                assert!(got.is_nan(), "{name}({x:e}) is {got:e}");
                continue;
            }
            let (rounded, expected) = (round(got), round(exact));
            all += 1;
            beside += i32::from(rounded != expected);
            let error = (got - exact).abs();
            assert!(
                rounded == expected || error <= exact.abs() / 32_768.0 + least,
                "{name}({x:e}) is {got:e} instead of {exact:e}"
            );
        }
        assert!(beside * 50 < all, "{name}: {beside} of {all} are beside");
    }

    #[test]
    fn results_are_the_nearest_or_beside_it() {
        check("exp", 3e-45, exp, f64::exp);
        check("tanh", 0.0, tanh, f64::tanh);
        check(
            "exp_to_one",
            1.2e-38,
            |x| exp_to_one(-x.abs()),
            |x| (-x.abs()).exp(),
        );
        check("sigmoid", 2e-38, sigmoid, |x| 1.0 / (1.0 + (-x).exp()));
        check("silu", 2e-36, silu, |x| x / (1.0 + (-x).exp()));
        check("gelu_tanh", 2e-36, gelu_tanh, |x| {
            let inner = (2.0 / core::f64::consts::PI).sqrt() * (x + 0.044715 * x * x * x);
            x / (1.0 + (-2.0 * inner).exp())
        });
    }

    #[test]
    fn exact_results_are_exact() {
        assert_eq!((exp_to_one(f32::NEG_INFINITY), tanh(0.0)), (0.0, 0.0));
        assert_eq!(
            (exp(f32::NEG_INFINITY), exp(f32::INFINITY)),
            (0.0, f32::INFINITY)
        );
        assert_eq!((silu(f32::INFINITY), silu(f32::MIN)), (f32::INFINITY, 0.0));
        assert!(tanh(f32::NAN).is_nan() && exp_to_one(f32::NAN).is_nan());
    }

    #[test]
    fn powers_are_those_of_the_difference_to_the_largest() {
        for most in [0.0, -0.0, 0.3, -7.0, 88.0, 65_504.0, -65_504.0, 1e6, -1e6] {
            let powers = Powers::up_to(most).unwrap();
            let scale = f64::from(powers.of(most));
            assert!((0.7..1.5).contains(&scale), "{most}: {scale}");
            for step in 0..20_000 {
                let x = most - step as f32 * 0.01;
                let exact = (f64::from(x) - f64::from(most)).exp();
                let error = (f64::from(powers.of(x)) / scale - exact).abs();
                assert!(error <= exact / 32_768.0 + 2e-38, "{most} {x}: {error}");
            }
            assert!(powers.of(f32::NAN).is_nan());
            assert_eq!(powers.of(f32::NEG_INFINITY), 0.0);
        }
        for most in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 2e6, f32::MIN] {
            assert!(Powers::up_to(most).is_none(), "{most}");
        }
    }
}
