//! Inverse functions of single precision, powers and the gamma function, computed in double precision without a branch, so that
//! their loops become vectors. A series has just the terms that a result rounded to single precision needs.

use core::f64::consts::{FRAC_PI_2, FRAC_PI_4, LN_2, LOG2_E, PI, SQRT_2};

use super::f32_math;

/// The tangent of an eighth of a half turn, up to which the series of the arc tangent goes.
const TAN_OF_EIGHTH: f64 = 0.414_213_562_373_095_03;

/// The arc tangent of `t`, divided by `t`, as a series of `t²`.
const ARC_TANGENT: [f64; 7] = [
    0.999_999_999_978_399_2,
    -0.333_333_320_976_190_23,
    0.199_998_838_571_675_9,
    -0.142_815_887_876_482_72,
    0.110_404_893_943_263,
    -0.084_561_937_521_478_42,
    0.047_073_498_297_939_7,
];

/// Returns the sum of a series.
#[inline(always)]
fn series<const N: usize>(x: f64, terms: [f64; N]) -> f64 {
    let (mut sum, mut left) = (0.0, N);
    while left > 0 {
        left -= 1;
        #[expect(clippy::indexing_slicing, reason = "the number is below N")]
        let term = terms[left];
        sum = x.mul_add(sum, term);
    }
    sum
}

/// Returns the angle of a point from the first axis.
#[inline(always)]
pub(super) fn atan2(y: f32, x: f32) -> f32 {
    let (a, b) = (f64::from(y.abs()), f64::from(x.abs()));
    let is_steep = a > b;
    let (less, more) = if is_steep { (b, a) } else { (a, b) };
    // Two infinite numbers are as large as each other, and so are two zeros, whose angle is 0.
    let (less, more) = if (less == f64::INFINITY) & (more == f64::INFINITY) {
        (1.0, 1.0)
    } else {
        (less, if more == 0.0 { 1.0 } else { more })
    };
    let is_turned = less > more * TAN_OF_EIGHTH;
    let (up, along, turn) = if is_turned {
        (less - more, less + more, FRAC_PI_4)
    } else {
        (less, more, 0.0)
    };
    let tangent = up / along;
    let angle = tangent * series(tangent * tangent, ARC_TANGENT) + turn;
    let angle = if is_steep { FRAC_PI_2 - angle } else { angle };
    let angle = if x.is_sign_negative() {
        PI - angle
    } else {
        angle
    };
    // CAST: rounded once.
    (angle as f32).copysign(y)
}

/// The number whose error function is `y`, divided by `y`, as a series of `-ln(1 - y²)`.
const CENTER: [f64; 12] = [
    0.886_226_925_983_424_2,
    0.232_013_636_049_03,
    0.011_549_628_771_624_522,
    -0.002_336_144_427_603_249_8,
    -0.000_126_117_828_238_315_68,
    4.456_915_645_322_929e-5,
    3.331_105_843_506_523e-6,
    -1.517_596_259_829_589e-6,
    6.466_327_606_700_364e-8,
    2.072_801_933_189_234e-8,
    -2.961_244_968_573_254e-9,
    1.234_657_287_597_656_8e-10,
];

/// The largest logarithm of that series.
const CENTER_ENDS: f32 = 5.0;

/// The same for larger logarithms, as a series of their roots, less 3.
const END: [f64; 11] = [
    2.832_976_801_605_859,
    1.001_675_273_055_966,
    0.009_445_300_385_672_262,
    -0.007_643_488_601_799_919,
    0.005_687_817_364_575_493,
    -0.003_563_172_947_727_914_3,
    0.001_473_828_940_321_252_6,
    -0.000_128_029_888_282_128_1,
    -0.000_273_553_794_911_339_8,
    0.000_166_085_109_491_346_3,
    -3.306_410_281_182_09e-5,
];

/// The absolute value up to which [`erfinv_of_usual`] goes: its logarithm is below that end.
pub(super) const USUAL_ERF: f32 = 0.996;

/// Returns the number whose error function this is. The absolute value is at most [`USUAL_ERF`].
#[inline(always)]
pub(super) fn erfinv_of_usual(y: f32) -> f32 {
    let logarithm = -f32_math::ln_of_usual((1.0 - y) * (1.0 + y));
    // CAST: rounded once.
    (f64::from(y) * series(f64::from(logarithm), CENTER)) as f32
}

/// Returns the number whose error function this is. The absolute value is below 1.
#[inline(always)]
pub(super) fn erfinv(y: f32) -> f32 {
    let logarithm = -f32_math::ln_of_usual((1.0 - y) * (1.0 + y));
    let center = series(f64::from(logarithm), CENTER);
    let end = series(f64::from(logarithm).abs().sqrt() - 3.0, END);
    let factor = if logarithm < CENTER_ENDS { center } else { end };
    // CAST: rounded once.
    (f64::from(y) * factor) as f32
}

/// The area hyperbolic tangent of `t`, divided by `t`, as a series of `t²`.
const AREA_TANGENT: [f64; 9] = [
    1.0,
    1.0 / 3.0,
    1.0 / 5.0,
    1.0 / 7.0,
    1.0 / 9.0,
    1.0 / 11.0,
    1.0 / 13.0,
    1.0 / 15.0,
    1.0 / 17.0,
];

/// Returns the natural logarithm of a positive number that is neither infinite nor one of the smallest, as that of a factor and a
/// power of 2.
#[inline(always)]
fn logarithm(x: f64) -> (f64, f64) {
    /// `2^52`: the lower bits of a number from it on are a whole number.
    const WHOLE: f64 = 4_503_599_627_370_496.0;
    let bits = x.to_bits();
    let exponent = f64::from_bits((bits >> 52) | WHOLE.to_bits()) - (WHOLE + 1023.0);
    let factor = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | 1.0_f64.to_bits());
    let is_large = factor > SQRT_2;
    let factor = if is_large { factor * 0.5 } else { factor };
    let exponent = if is_large { exponent + 1.0 } else { exponent };
    let tangent = (factor - 1.0) / (factor + 1.0);
    let of_factor = 2.0 * tangent * series(tangent * tangent, AREA_TANGENT);
    (of_factor, exponent)
}

/// Powers of 2 as a series of the exponent.
const POWERS: [f64; 9] = [
    1.0,
    LN_2,
    0.240_226_506_959_100_7,
    0.055_504_108_664_821_58,
    0.009_618_129_107_628_477,
    0.001_333_355_814_642_844_3,
    0.000_154_035_303_933_816_1,
    1.525_273_380_405_984e-5,
    1.321_548_679_014_431e-6,
];

/// Returns `x` to the power of `y`, and whether it is right: `x` is positive, and the result is not one of the smallest or infinite.
#[inline(always)]
pub(super) fn power(x: f32, y: f32) -> (f32, bool) {
    /// `1.5 * 2^52`: a number of moderate size plus this one is rounded to a whole number, which is in the lower bits.
    const ROUNDING: f64 = 6_755_399_441_055_744.0;
    let (of_factor, exponent) = logarithm(x.into());
    let power = f64::from(y) * of_factor.mul_add(LOG2_E, exponent);
    let shifted = power + (ROUNDING + 1023.0);
    let rest = power - (shifted - (ROUNDING + 1023.0));
    let result = series(rest, POWERS) * f64::from_bits(shifted.to_bits() << 52);
    // CAST: rounded once.
    (result as f32, f32_math::is_usual(x) & (power.abs() < 126.0))
}

/// The series of Stirling behind `(x - 0.5) * ln(x) - x + ln(2 * pi) / 2`, times `x`, in powers of `1 / x²`.
const STIRLING: [f64; 6] = [
    1.0 / 12.0,
    -1.0 / 360.0,
    1.0 / 1260.0,
    -1.0 / 1680.0,
    1.0 / 1188.0,
    -691.0 / 360_360.0,
];

/// The number from which on the series is used.
const STIRLING_FROM: f64 = 8.0;

/// Returns the logarithm of the gamma function, and whether it is right: the number is positive, and not near 1 and 2, where the
/// logarithm is 0.
#[inline(always)]
pub(super) fn lgamma(x: f32) -> (f32, bool) {
    const NEAR: f32 = 1e-3;
    let is_right =
        f32_math::is_usual(x) & (x < 1e30) & ((x - 1.0).abs() > NEAR) & ((x - 2.0).abs() > NEAR);
    let x = f64::from(x);
    // The numbers between a small one and one that is large enough are taken away again.
    let mut between = 1.0;
    let mut step = 0.0;
    while step < STIRLING_FROM {
        between *= x + step;
        step += 1.0;
    }
    let is_small = x < STIRLING_FROM;
    let between = if is_small { between } else { 1.0 };
    let x = if is_small { x + STIRLING_FROM } else { x };
    let ln = |x: f64| {
        let (of_factor, exponent) = logarithm(x);
        exponent.mul_add(LN_2, of_factor)
    };
    let share = 1.0 / x;
    let more = share * series(share * share, STIRLING) + 0.918_938_533_204_672_7;
    let result = (x - 0.5).mul_add(ln(x), more - x) - ln(between);
    // CAST: rounded once.
    (result as f32, is_right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_and_gammas_are_those_of_double_precision() {
        for x in numbers() {
            for y in [-30.5, -2.0, -0.3, 0.0, 0.5, 1.0, 2.0, 3.7, 100.0] {
                let (got, is_right) = power(x, y);
                assert_eq!(is_right, is_right & (x > 0.0), "{x} {y}");
                if is_right {
                    check(got, f64::from(x).powf(y.into()), 0.51);
                }
            }
            if let (got, true) = lgamma(x) {
                check(got, libm::lgamma(x.into()), 0.51);
            }
        }
        // Numbers of usual sizes, of which there are few above.
        for step in 1..20_000 {
            // CAST: a small number.
            let x = step as f32 * 1.7e-3;
            if let (got, true) = lgamma(x) {
                check(got, libm::lgamma(x.into()), 0.51);
            }
            let y = 2.5 - x / 2.0;
            let (got, is_right) = power(x, y);
            assert!(is_right);
            check(got, f64::from(x).powf(y.into()), 0.51);
        }
        assert!(lgamma(3.0).1 && !lgamma(1.0).1 && !lgamma(-1.5).1);
    }

    /// Numbers of all sizes, with both signs.
    fn numbers() -> impl Iterator<Item = f32> {
        (0..=u32::MAX).step_by(1_999_993).map(f32::from_bits)
    }

    /// Checks a result against that of double precision, which may be this many units in the last place away.
    fn check(got: f32, expected: f64, units: f64) {
        // CAST: rounded once.
        let rounded = expected as f32;
        let unit = f64::from(rounded.next_up()) - f64::from(rounded);
        let is_near = (f64::from(got) - expected).abs() <= units * unit;
        let is_same = got.to_bits() == rounded.to_bits() || got.is_nan() && rounded.is_nan();
        assert!(is_near || is_same, "{got:e}, and not {expected:e}");
    }

    #[test]
    fn angles_are_those_of_double_precision() {
        let special = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ];
        for y in special.into_iter().chain(numbers()) {
            for x in special {
                check(atan2(y, x), f64::from(y).atan2(x.into()), 0.51);
                check(atan2(x, y), f64::from(x).atan2(y.into()), 0.51);
            }
            for factor in [0.1, 0.414, 0.415, 0.9, 1.1, 2.4, 2.5, 30.0] {
                check(
                    atan2(y, y * factor),
                    f64::from(y).atan2((y * factor).into()),
                    0.51,
                );
            }
        }
    }

    #[test]
    fn inverses_give_the_number_back() {
        let near_one = (0..1000).map(|step| 1.0 - step as f32 * f32::EPSILON / 2.0);
        let small = numbers().filter(|x| x.abs() < 1.0);
        for y in near_one.skip(1).chain(small) {
            for y in [y, -y] {
                check(erfinv(y), crate::op::steps::erfinv(y.into()), 1.1);
                if y.abs() <= USUAL_ERF {
                    assert_eq!(erfinv_of_usual(y).to_bits(), erfinv(y).to_bits());
                }
            }
        }
    }
}
