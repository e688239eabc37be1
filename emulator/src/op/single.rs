//! Functions of real numbers in single precision, without branches and calls, so that the compiler makes vector
//! instructions of a loop over them. The standard library's functions take 5 to 10 ns for one number.
//!
//! The results are within 3 units in the last place; `tests` compares them with double precision. A product and a sum
//! are one operation (`mul_add`), which is rounded once. So the results are the same bits on each processor; one without
//! this instruction takes longer.

/// `1.5 * 2^23`: a number of moderate size plus this one is rounded to a whole number, which is in the lower bits.
const ROUNDING: f32 = 12_582_912.0;
/// `ln 2` in two parts. Multiples of the first one up to 2^8 are exact.
const LN_2: (f32, f32) = (0.693_359_4, -2.121_944_4e-4);

/// Returns `2^exponent` for exponents from -126 to 127.
#[inline(always)]
fn power_of_two(exponent: i32) -> f32 {
    // CAST: the exponent of a number in single precision, with its bias, is positive here.
    f32::from_bits((exponent.wrapping_add(127) as u32) << 23)
}

/// Returns `lower` for numbers below it and `upper` for numbers above it. NaN stays NaN.
#[inline(always)]
fn limited(x: f32, lower: f32, upper: f32) -> f32 {
    let x = if x < lower { lower } else { x };
    if x > upper { upper } else { x }
}

/// Returns `p[0] + p[1] * x + ...`.
#[inline(always)]
fn polynomial<const N: usize>(x: f32, p: [f32; N]) -> f32 {
    p.iter()
        .rev()
        .fold(0.0, |sum: f32, factor| sum.mul_add(x, *factor))
}

/// Returns `e` to the power of a number.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    // The results at the limits are 0 and infinity.
    let x = limited(x, -104.0, 89.0);
    let shifted = x.mul_add(core::f32::consts::LOG2_E, ROUNDING);
    let whole = shifted - ROUNDING;
    // CAST: the difference of the bits is the whole number, which is small.
    let exponent = shifted.to_bits().wrapping_sub(ROUNDING.to_bits()) as i32;
    let rest = (-whole).mul_add(LN_2.1, (-whole).mul_add(LN_2.0, x));
    // The beginning of the series: the rest is at most ln(2) / 2.
    let series = polynomial(
        rest,
        [
            0.5,
            1.0 / 6.0,
            1.0 / 24.0,
            1.0 / 120.0,
            1.0 / 720.0,
            1.0 / 5040.0,
        ],
    );
    let power = 1.0 + (rest * rest).mul_add(series, rest);
    // In two factors, because the exponents of the smallest and of the largest results have no factor.
    let half = exponent >> 1;
    power * power_of_two(half) * power_of_two(exponent.wrapping_sub(half))
}

/// Returns `e` to the power of a number, minus 1.
#[inline(always)]
pub(super) fn exp_m1(x: f32) -> f32 {
    let series = polynomial(
        x,
        [
            0.5,
            1.0 / 6.0,
            1.0 / 24.0,
            1.0 / 120.0,
            1.0 / 720.0,
            1.0 / 5040.0,
            1.0 / 40_320.0,
        ],
    );
    let small = (x * x).mul_add(series, x);
    let large = exp(x) - 1.0;
    if x.abs() < 0.5 { small } else { large }
}

/// Returns the natural logarithm.
#[inline(always)]
pub(super) fn ln(x: f32) -> f32 {
    // The smallest numbers have no exponent of their own.
    let is_tiny = x < f32::MIN_POSITIVE;
    let scaled = if is_tiny { x * 33_554_432.0 } else { x };
    let less = if is_tiny { 25 } else { 0 };
    // The number is split into a power of 2 and a factor from the root of 1/2 to the root of 2.
    let offset = scaled.to_bits().wrapping_sub(0x3f35_04f3);
    // CAST: the bits are the exponent, with its sign.
    let exponent = (offset as i32) >> 23;
    let factor = f32::from_bits((offset & 0x007f_ffff).wrapping_add(0x3f35_04f3));
    // CAST: a small whole number.
    let power = exponent.wrapping_sub(less) as f32;
    let z = factor - 1.0;
    let series = polynomial(
        z,
        [
            0.333_333_3,
            -0.249_999_94,
            0.200_007_16,
            -0.166_680_57,
            0.142_493_19,
            -0.124_201_37,
            0.116_770_34,
            -0.115_146_644,
            0.070_376_59,
        ],
    );
    let square = z * z;
    let result = z + (square * z * series + power * LN_2.1 - 0.5 * square);
    let result = result + power * LN_2.0;
    let result = if x == f32::INFINITY { x } else { result };
    let result = if x == 0.0 { f32::NEG_INFINITY } else { result };
    // Also for NaN.
    if x >= 0.0 { result } else { f32::NAN }
}

/// Returns the natural logarithm of 1 more than a number.
#[inline(always)]
pub(super) fn ln_1p(x: f32) -> f32 {
    let sum = 1.0 + x;
    // The second factor corrects the rounding of the sum.
    let corrected = ln(sum) * (x / (sum - 1.0));
    let is_lost = sum == 1.0;
    let is_large = !(-1.0 < x && x < 1e10);
    let result = if is_large { ln(sum) } else { corrected };
    if is_lost { x } else { result }
}

/// Returns the hyperbolic tangent.
#[inline(always)]
pub(super) fn tanh(x: f32) -> f32 {
    let square = x * x;
    let series = polynomial(
        square,
        [
            -0.333_333_28,
            0.133_327_19,
            -0.053_843_31,
            0.020_961_514,
            -0.006_045_395,
        ],
    );
    let small = (x * square).mul_add(series, x);
    let large = 1.0 - 2.0 / (exp(2.0 * x.abs()) + 1.0);
    if square < 0.390_625 {
        small
    } else {
        large.copysign(x)
    }
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
        check("ln", ln, f64::ln);
        check("ln_1p", ln_1p, f64::ln_1p);
        check("tanh", tanh, f64::tanh);
        check("erf", erf, libm::erf);
    }
}
