//! Functions of real numbers in single precision, without branches and calls, so that the compiler makes vector
//! instructions of a loop over them. The standard library's functions take 5 to 10 ns for one number.
//!
//! The results are within 3 units in the last place; `tests` compares them with double precision. A product and a sum
//! are one operation (`mul_add`), which is rounded once. So the results are the same bits on each processor; one without
//! this instruction takes longer.

/// `1.5 * 2^23`: a number of moderate size plus this one is rounded to a whole number, which is in the lower bits.
pub(super) const ROUNDING: f32 = 12_582_912.0;
/// `ln 2` in two parts. Multiples of the first one up to 2^8 are exact.
const LN_2: (f32, f32) = (0.693_359_4, -2.121_944_4e-4);

/// Returns a whole number next to `x * factor`, and 2 to its power divided by `2^less`. The whole number less `less` is
/// from -126 to 127; the power is 0 for -127, and infinite for 128.
#[inline(always)]
pub(super) fn split(x: f32, factor: f32, less: f32) -> (f32, f32) {
    let bias = ROUNDING + (127.0 - less);
    let shifted = x.mul_add(factor, bias);
    // The lower bits of the sum are the exponent with its bias; the upper bits are shifted out.
    (shifted - bias, f32::from_bits(shifted.to_bits() << 23))
}

/// Returns `lower` for numbers below it and `upper` for numbers above it. NaN stays NaN.
#[inline(always)]
pub(super) fn limited(x: f32, lower: f32, upper: f32) -> f32 {
    let x = if x < lower { lower } else { x };
    if x > upper { upper } else { x }
}

/// Returns `p[0] + p[1] * x + ...`.
#[inline(always)]
pub(super) fn polynomial<const N: usize>(x: f32, p: [f32; N]) -> f32 {
    const { assert!(N > 0) };
    let mut left = N - 1;
    #[expect(clippy::indexing_slicing, reason = "the number is below N")]
    let mut sum = p[left];
    #[expect(clippy::indexing_slicing, reason = "as above")]
    while left > 0 {
        left -= 1;
        sum = sum.mul_add(x, p[left]);
    }
    sum
}

/// Returns `e` to the power of a number.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    // The results at the limits are 0 and infinity.
    let x = limited(x, -104.0, 89.0);
    // The smallest and the largest results have exponents that no factor has. So the exponent is even, and half of it
    // is the exponent of a factor that is used twice.
    let (half, root) = split(x, core::f32::consts::LOG2_E / 2.0, 0.0);
    let rest = (-half).mul_add(2.0 * LN_2.1, (-half).mul_add(2.0 * LN_2.0, x));
    // The rest is at most ln 2, with either sign.
    let power = polynomial(
        rest,
        [
            1.0,
            1.0,
            0.500_000_36,
            0.166_666_1,
            0.041_661_117,
            0.008_336_249,
            0.001_410_777_4,
            0.000_196_012_57,
        ],
    );
    power * root * root
}

/// Returns `2^24` times `e` to the power of a number that is not positive. So a quotient of two results has all its bits,
/// also if it is below 2^-126.
#[inline(always)]
pub(super) fn exp_to_one(x: f32) -> f32 {
    const FACTOR: f32 = core::f32::consts::LOG2_E;
    // The power of 2 is 0 at the limit.
    let x = if x < -105.0 { -105.0 } else { x };
    let (whole, power) = split(x, FACTOR, -24.0);
    polynomial(x.mul_add(FACTOR, -whole), POWERS_OF_2) * power
}

/// The factors of `2^x` for numbers up to one half, with either sign.
const POWERS_OF_2: [f32; 7] = [
    1.0,
    core::f32::consts::LN_2,
    0.240_226_48,
    0.055_503_324,
    0.009_618_438,
    0.001_339_892_6,
    0.000_153_533_2,
];

/// Returns 2 to the power of a number. The power of a whole number is exact.
#[inline(always)]
pub(super) fn exp2(x: f32) -> f32 {
    // The results at the limits are 0 and infinity.
    let x = limited(x, -151.0, 129.0);
    let whole = (x + ROUNDING) - ROUNDING;
    // The smallest and the largest results have exponents that no factor has, so there are two factors.
    let (half, power) = split(whole, 0.5, 0.0);
    let (_, other) = split(whole - half, 1.0, 0.0);
    polynomial(x - whole, POWERS_OF_2) * power * other
}

/// Returns 2 to the power of a number whose absolute value is below 126.
#[inline(always)]
pub(super) fn exp2_of_usual(x: f32) -> f32 {
    let (whole, power) = split(x, 1.0, 0.0);
    polynomial(x - whole, POWERS_OF_2) * power
}

/// The factors of `(exp(x) - 1 - x) / x²` for numbers up to half of ln 2, with either sign.
const BEYOND_LINE: [f32; 5] = [
    0.499_999_97,
    0.166_665_42,
    0.041_667_43,
    0.008_366_873_5,
    0.001_387_185_8,
];

/// Returns `e` to the power of a number, minus 1.
#[inline(always)]
pub(super) fn exp_m1(x: f32) -> f32 {
    // The results at the limits are -1 and infinity.
    let x = limited(x, -18.0, 89.0);
    // A power of 2 is one half too small, because the largest one is not a number in single precision.
    let (whole, power) = split(x, core::f32::consts::LOG2_E, 1.0);
    let rest = (-whole).mul_add(LN_2.1, (-whole).mul_add(LN_2.0, x));
    let less = (rest * rest).mul_add(polynomial(rest, BEYOND_LINE), rest);
    2.0 * less.mul_add(power, power - 0.5)
}

/// Returns whether a number is positive, and neither infinite nor one of the smallest, which have no exponent of their own.
#[inline(always)]
pub(super) fn is_usual(x: f32) -> bool {
    let least = f32::MIN_POSITIVE.to_bits();
    x.to_bits().wrapping_sub(least) < f32::INFINITY.to_bits() - least
}

/// Returns the natural logarithm.
#[inline(always)]
pub(super) fn ln(x: f32) -> f32 {
    of_all(x, |x, less| joined_ln(split_factor(x), less))
}

/// Returns the natural logarithm of a number that [`is_usual`].
#[inline(always)]
pub(super) fn ln_of_usual(x: f32) -> f32 {
    joined_ln(split_factor(x), 0.0)
}

/// Returns the logarithm to base 2. That of a power of 2 is exact.
#[inline(always)]
pub(super) fn log2(x: f32) -> f32 {
    of_all(x, |x, less| joined_log2(split_factor(x), less))
}

/// Returns the logarithm to base 2 of a number that [`is_usual`].
#[inline(always)]
pub(super) fn log2_of_usual(x: f32) -> f32 {
    joined_log2(split_factor(x), 0.0)
}

/// Returns a number `z`, the terms of a series behind `z - z² / 2`, and a whole number: with it times `ln 2` they are the natural
/// logarithm.
#[inline(always)]
fn split_factor(x: f32) -> [f32; 3] {
    // The number is split into a power of 2 and a factor from the root of 1/2 to the root of 2.
    let offset = x.to_bits().wrapping_sub(0x3f35_04f3);
    let factor = f32::from_bits((offset & 0x007f_ffff).wrapping_add(0x3f35_04f3));
    // CAST: the bits are the exponent, with its sign.
    let power = ((offset as i32) >> 23) as f32;
    let z = factor - 1.0;
    let square = z * z;
    // Two sums at the same time: a step of each one waits for the one before.
    let even = [
        0.333_333_3,
        0.200_007_16,
        0.142_493_19,
        0.116_770_34,
        0.070_376_59,
    ];
    let odd = [-0.249_999_94, -0.166_680_57, -0.124_201_37, -0.115_146_644];
    let odd = polynomial(square, odd);
    let series = z.mul_add(odd, polynomial(square, even));
    [z, square * z * series, power]
}

#[inline(always)]
fn joined_ln([z, more, power]: [f32; 3], less: f32) -> f32 {
    let power = power - less;
    let more = (z * z).mul_add(-0.5, power.mul_add(LN_2.1, more));
    power.mul_add(LN_2.0, z + more)
}

#[inline(always)]
fn joined_log2([z, more, power]: [f32; 3], less: f32) -> f32 {
    let of_factor = z + (z * z).mul_add(-0.5, more);
    of_factor.mul_add(core::f32::consts::LOG2_E, power - less)
}

/// Returns a logarithm of any number. `of_usual` gets a usual one, and a whole number that is subtracted from the power of 2.
#[inline(always)]
fn of_all(x: f32, of_usual: impl Fn(f32, f32) -> f32) -> f32 {
    // The smallest numbers have no exponent of their own.
    let is_tiny = x < f32::MIN_POSITIVE;
    let scaled = if is_tiny { x * 33_554_432.0 } else { x };
    let result = of_usual(scaled, if is_tiny { 25.0 } else { 0.0 });
    let result = if x == f32::INFINITY { x } else { result };
    let result = if x == 0.0 { f32::NEG_INFINITY } else { result };
    // Also for NaN.
    if x >= 0.0 { result } else { f32::NAN }
}

/// Returns the natural logarithm of 1 more than a number.
#[inline(always)]
pub(super) fn ln_1p(x: f32) -> f32 {
    let sum = 1.0 + x;
    if is_usual_for_ln_1p(x) {
        ln_1p_of_usual(x)
    } else {
        ln(sum)
    }
}

/// The number from which on 1 more makes no difference to the logarithm.
const LARGE: f32 = 1e10;

/// Returns whether [`ln_1p_of_usual`] takes a number.
#[inline(always)]
pub(super) fn is_usual_for_ln_1p(x: f32) -> bool {
    (-1.0 < x) & (x < LARGE)
}

/// Returns the natural logarithm of 1 more than a number between -1 and `1e10`.
#[inline(always)]
pub(super) fn ln_1p_of_usual(x: f32) -> f32 {
    let sum = 1.0 + x;
    // The second factor corrects the rounding of the sum.
    let corrected = ln_of_usual(sum) * (x / (sum - 1.0));
    if sum == 1.0 { x } else { corrected }
}

/// Returns `ln(1 + exp(x))`.
#[inline(always)]
pub(super) fn softplus(x: f32) -> f32 {
    // The exponential does not overflow for negative numbers. NaN is the first term.
    let positive = if x < 0.0 { 0.0 } else { x };
    positive + ln_1p_of_usual(exp(-x.abs()))
}

/// Returns the hyperbolic tangent.
#[inline(always)]
pub(super) fn tanh(x: f32) -> f32 {
    // The results at the limits are -1 and 1.
    let x = limited(x, -9.02, 9.02);
    // This is `y / (y + 1)` for half of `exp(2 * x) - 1`. It loses nothing near 0.
    let (whole, power) = split(x, 2.0 * core::f32::consts::LOG2_E, 0.0);
    let rest = (-whole).mul_add(0.5 * LN_2.1, (-whole).mul_add(0.5 * LN_2.0, x));
    let [a, b, c, d, e] = BEYOND_LINE;
    let series = polynomial(rest, [2.0 * a, 4.0 * b, 8.0 * c, 16.0 * d, 32.0 * e]);
    let less = (rest * rest).mul_add(series, rest);
    let y = less.mul_add(power, power.mul_add(0.5, -0.5));
    y / (y + 1.0)
}

/// Returns half of `e` to the power of `-x`: 0 or a tiny number from 86 on, infinity below -89.07.
#[inline(always)]
fn half_exp_of_negative(x: f32) -> f32 {
    let x = limited(x, -89.5, 86.0);
    let (whole, power) = split(x, -core::f32::consts::LOG2_E, 1.0);
    let rest = whole.mul_add(LN_2.1, whole.mul_add(LN_2.0, x));
    // The factors of the series of `exp(-rest)`.
    let factors = [
        1.0,
        -1.0,
        0.499_999_94,
        -0.166_665_2,
        0.041_668_396,
        -0.008_368_797,
        0.001_381_443_3,
    ];
    polynomial(rest, factors) * power
}

/// Returns `1 / (1 + exp(-x))`: 0 below -89.07, where the result is smaller than the numbers with all bits.
#[inline(always)]
pub(super) fn sigmoid(x: f32) -> f32 {
    0.5 / (0.5 + half_exp_of_negative(x))
}

/// Returns the number times its [`sigmoid`].
#[inline(always)]
pub(super) fn silu(x: f32) -> f32 {
    0.5 * x / (0.5 + half_exp_of_negative(x))
}

/// The factors of `x` and `x³` in the function whose [`sigmoid`] times `x` is nearly `x` times its normal distribution:
/// two times `sqrt(2 / pi)`, and 0.044715 times as much.
pub(super) const GELU: [f32; 2] = [1.595_769, 0.071_354_81];

/// Returns nearly the number times its normal distribution, with the hyperbolic tangent.
#[inline(always)]
pub(super) fn gelu_tanh(x: f32) -> f32 {
    let [line, cube] = GELU;
    let inner = x * (x * x).mul_add(cube, line);
    0.5 * x / (0.5 + half_exp_of_negative(inner))
}

/// The largest angle that [`sine`] takes.
pub(super) const LARGEST_ANGLE: f32 = 131_072.0;
/// A quarter of a turn in three parts. The first difference to a multiple is exact, and the others are rounded to their own
/// precision.
const QUARTER: [f32; 3] = [1.570_796_4, -4.371_139e-8, -1.715_124_5e-15];

/// Returns the sine of an angle plus so many quarters of a turn, 0 or 1. The angle is at most [`LARGEST_ANGLE`], with either sign.
#[inline(always)]
pub(super) fn sine(x: f32, more: u32) -> f32 {
    let size = x.abs();
    let shifted = size.mul_add(core::f32::consts::FRAC_2_PI, ROUNDING);
    let quarters = ROUNDING - shifted;
    let [first, second, third] = QUARTER;
    let rest = quarters.mul_add(first, size);
    let rest = quarters.mul_add(third, quarters.mul_add(second, rest));
    let square = rest * rest;
    let of_sine = [-0.166_666_55, 8.332_161e-3, -1.951_529_6e-4];
    let of_cosine = [4.166_664_6e-2, -1.388_731_6e-3, 2.443_315_7e-5];
    let sine = (rest * square).mul_add(polynomial(square, of_sine), rest);
    let cosine = square.mul_add(-0.5, 1.0);
    let cosine = (square * square).mul_add(polynomial(square, of_cosine), cosine);
    let quarter = shifted.to_bits().wrapping_add(more);
    let value = if quarter & 1 == 0 { sine } else { cosine };
    // A sine has the sign of its angle, and a cosine does not. Half a turn more changes the sign.
    let own = if more == 0 { x.to_bits() } else { 0 };
    let sign = (own ^ (quarter << 30)) & 0x8000_0000;
    f32::from_bits(value.to_bits() ^ sign)
}

/// Returns the remainder of a quotient whose fraction is cut off, and whether it is right: the quotient has to be below 2^22.
#[inline(always)]
pub(super) fn remainder(x: f32, y: f32) -> (f32, bool) {
    let (size, divisor) = (x.abs(), y.abs());
    let quotient = (size / divisor).trunc();
    // The difference is exact, also if the quotient was rounded up to the next whole number.
    let rest = (-quotient).mul_add(divisor, size);
    let rest = if rest < 0.0 { rest + divisor } else { rest };
    // An infinite divisor leaves the number.
    let rest = if quotient == 0.0 { size } else { rest };
    (rest.copysign(x), quotient < 4_194_304.0)
}

/// Returns the error function.
#[inline(always)]
pub(super) fn erf(x: f32) -> f32 {
    let (size, square) = (x.abs(), x * x);
    let small = x * polynomial(
        square,
        [
            core::f32::consts::FRAC_2_SQRT_PI,
            -0.376_126_26,
            0.112_835_854,
            -0.026_853_811,
            0.005_188_327_7,
            -0.000_801_019_25,
            7.853_858e-5,
        ],
    );
    // What is missing to 1, without its factor exp(-x²).
    let reciprocal = 1.0 / limited(size, 1.0, 4.2);
    let missing = reciprocal
        * polynomial(
            reciprocal,
            [
                0.564_246,
                -0.001_655_503_8,
                -0.261_339_16,
                -0.146_946_83,
                1.068_327_8,
                -1.772_348_4,
                1.668_245_3,
                -0.964_609_74,
                0.320_948_18,
                -0.047_283_974,
            ],
        );
    let large = 1.0 - missing * exp(-square);
    if size < 1.0 { small } else { large.copysign(x) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with double precision: every 10,007th number, and the numbers around 0 and 1.
    fn check(name: &str, single: fn(f32) -> f32, double: fn(f64) -> f64) {
        let near = |center: f32| {
            (0..2000).map(move |step| center.to_bits().wrapping_add(step).wrapping_sub(1000))
        };
        let all = (0..=u32::MAX)
            .step_by(10_007)
            .chain(near(1.0))
            .chain(near(-1.0))
            .chain(near(0.0));
        for x in all.map(f32::from_bits) {
            let (got, exact) = (single(x), double(x.into()));
            let expected = exact as f32;
            if expected.is_nan() || expected.is_infinite() || expected == 0.0 {
                let same = got == expected || (got.is_nan() && expected.is_nan());
                // A result next to the largest or the smallest number may be rounded to either.
                let is_near = (f64::from(got) - exact).abs() <= exact.abs() * 1e-6
                    || got.abs() <= f32::from_bits(1);
                assert!(
                    same || (is_near && !expected.is_nan()),
                    "{name}({x:e}) is {got:e} instead of {expected:e}"
                );
                continue;
            }
            let unit =
                f64::from(f32::from_bits(expected.abs().to_bits() + 1)) - f64::from(expected.abs());
            let error = (f64::from(got) - exact).abs() / unit;
            assert!(
                error <= 3.0,
                "{name}({x:e}) is {got:e} instead of {expected:e}, {error} units"
            );
        }
    }

    #[test]
    fn results_are_within_three_units() {
        check("exp", exp, f64::exp);
        check("exp_m1", exp_m1, f64::exp_m1);
        check("exp2", exp2, f64::exp2);
        check("ln", ln, f64::ln);
        check("log2", log2, f64::log2);
        check("ln_1p", ln_1p, f64::ln_1p);
        check("tanh", tanh, f64::tanh);
        check("erf", erf, libm::erf);
        // Below this number the results have fewer bits, or they are 0.
        const LEAST: f32 = -87.0;
        check(
            "sigmoid",
            |x| sigmoid(x.max(LEAST)),
            |x| 1.0 / (1.0 + (-x.max(LEAST.into())).exp()),
        );
        check(
            "silu",
            |x| if x < LEAST { 0.0 } else { silu(x) },
            |x| {
                if x < LEAST.into() {
                    0.0
                } else {
                    x / (1.0 + (-x).exp())
                }
            },
        );
        assert!(sigmoid(f32::NAN).is_nan() && silu(f32::NAN).is_nan());
    }

    #[test]
    fn sines_are_within_three_units() {
        fn within(x: f32) -> f32 {
            if x.abs() <= LARGEST_ANGLE { x } else { 1.0 }
        }
        check(
            "sin",
            |x| sine(within(x), 0),
            |x| f64::from(within(x as f32)).sin(),
        );
        check(
            "cos",
            |x| sine(within(x), 1),
            |x| f64::from(within(x as f32)).cos(),
        );
        // The numbers next to multiples of a quarter of a turn lose the most digits.
        for quarters in 0..83_443_u32 {
            let near = (f64::from(quarters) * core::f64::consts::FRAC_PI_2) as f32;
            for x in [near, near.next_up(), near.next_down()] {
                for (got, exact) in [
                    (sine(x, 0), f64::from(x).sin()),
                    (sine(x, 1), f64::from(x).cos()),
                ] {
                    let error = (f64::from(got) - exact).abs();
                    assert!(error <= 3e-7 * exact.abs(), "{x:e}: {got:e} {exact:e}");
                }
            }
        }
        assert_eq!(sine(-0.0, 0).to_bits(), (-0.0f32).to_bits());
    }

    #[test]
    fn remainders_are_exact() {
        let numbers = |step: usize| (0..=u32::MAX).step_by(step).map(f32::from_bits);
        let mut usual = 0;
        for x in numbers(40_000_003).chain([0.0, 1.0, 7.5, 1e6]) {
            for y in numbers(2_500_009).chain([f32::INFINITY, 1e-44, 0.1, 3.0]) {
                let (got, is_right) = remainder(x, y);
                let exact = x % y;
                let is_same = got.to_bits() == exact.to_bits() || (got.is_nan() && exact.is_nan());
                assert!(
                    is_same || !is_right,
                    "{x:e} % {y:e} is {got:e} instead of {exact:e}"
                );
                usual += u32::from(is_right);
            }
        }
        assert!(usual > 10_000);
    }

    #[test]
    fn powers_of_2_and_their_logarithms_are_exact() {
        for exponent in -149..=127_i16 {
            let power = f64::from(exponent).exp2() as f32;
            assert_eq!(
                (exp2(exponent.into()), log2(power)),
                (power, exponent.into())
            );
        }
    }

    #[test]
    fn multiples_of_powers_are_near() {
        for step in 0..=55_000_u16 {
            let x = f32::from(step) / -500.0;
            let exact = 16_777_216.0 * f64::from(x).exp();
            // The exponent is rounded once.
            let most = exact * (2.4e-7 + 2e-8 * f64::from(-x));
            let got = f64::from(exp_to_one(x));
            assert!(
                (got - exact).abs() <= most + 2f64.powi(-126),
                "{x}: {got:e} {exact:e}"
            );
        }
        assert_eq!(
            (exp_to_one(0.0), exp_to_one(f32::NEG_INFINITY)),
            (16_777_216.0, 0.0)
        );
        assert!(exp_to_one(f32::NAN).is_nan());
    }

    #[test]
    fn products_with_a_share_end_in_zero() {
        for x in [-87.5, -88.0, -89.0, -89.3, -100.0, -1e10, f32::MIN] {
            assert!((0.0..1.1e-38).contains(&sigmoid(x)), "{x}: {}", sigmoid(x));
            assert!((-1e-35..=0.0).contains(&silu(x)), "{x}: {}", silu(x));
            assert_eq!(gelu_tanh(x), 0.0, "{x}");
        }
        for x in [100.0, 1e10, f32::MAX, f32::INFINITY] {
            assert_eq!((sigmoid(x), silu(x), gelu_tanh(x)), (1.0, x, x));
        }
    }

    #[test]
    fn the_share_of_the_normal_distribution_is_that_of_the_formula() {
        for step in -8000..8000_i16 {
            let x = f32::from(step) / 700.0;
            let double = f64::from(x);
            let inner = (2.0 / core::f64::consts::PI).sqrt() * (double + 0.044715 * double.powi(3));
            let exact = double / (1.0 + (-2.0 * inner).exp());
            // The rounding of the exponent counts as often as the exponent is large.
            let most = 6e-7 * exact.abs() * inner.abs().max(1.0) + 1e-36;
            let got = f64::from(gelu_tanh(x));
            assert!((got - exact).abs() <= most, "{x}: {got:e} {exact:e}");
        }
    }
}
