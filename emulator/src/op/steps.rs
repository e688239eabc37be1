//! The steps of formulas: each is a loop over a chunk, for each kind of number.

use core::f64::consts::PI;

use super::f32_inverse;
use super::f32_math;
use super::formula::{Formula, Step};
use super::number::{CHUNK, Number, Whole};
use super::operation::Operation;
use super::real::Real;

/// A type of number that formulas are computed in.
pub(super) trait Computed: Number {
    /// Runs the steps. The registers have the operands in front, without those of `lying`; [`prepare`] has filled those of the
    /// constants. The result is in `target`, or in the last register.
    fn compute(
        formula: &Formula,
        lying: &Lying<'_, Self>,
        registers: &mut [[Self; CHUNK]],
        target: Option<&mut [Self; CHUNK]>,
    ) {
        run(formula, lying, registers, target);
    }

    /// Runs a step that not all numbers have. It is no argument of [`run`]: a function that is called through one has no
    /// vector instructions.
    fn other(step: &Step, from: Inputs<'_, Self>, to: &mut [Self; CHUNK]);

    /// Stores the powers of numbers.
    fn powers([a, b, ..]: Inputs<'_, Self>, to: &mut [Self; CHUNK]) {
        two(a, b, to, Self::power);
    }

    /// Stores the remainder of each pair of numbers.
    fn remainders([a, b, ..]: Inputs<'_, Self>, to: &mut [Self; CHUNK]) {
        two(a, b, to, Self::remainder);
    }
}

/// The largest number of tensors that a walk reads.
pub(super) const TENSORS: usize = 6;

/// The operands that are read where they lie in memory. The others are in their registers, and so are all behind the first few.
pub(super) type Lying<'a, W> = [Option<&'a [W; CHUNK]>; TENSORS];

/// Adds the registers of constants and of steps behind those of the operands. A formula leaves out the last operands that
/// it does not name.
pub(super) fn prepare<W: Number>(formula: &Formula, registers: &mut Vec<[W; CHUNK]>) {
    registers.truncate(formula.operands());
    for constant in formula.constants() {
        registers.push([W::of(super::scalar::Scalar::floating(*constant)); CHUNK]);
    }
    registers.resize(formula.registers(), [W::ZERO; CHUNK]);
}

impl Computed for f32 {
    fn compute(
        formula: &Formula,
        lying: &Lying<'_, f32>,
        registers: &mut [[f32; CHUNK]],
        target: Option<&mut [f32; CHUNK]>,
    ) {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2,fma")]
            fn wide(
                formula: &Formula,
                lying: &Lying<'_, f32>,
                registers: &mut [[f32; CHUNK]],
                target: Option<&mut [f32; CHUNK]>,
            ) {
                run(formula, lying, registers, target);
            }
            if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma") {
                // SAFETY: the processor has AVX2 and FMA.
                return unsafe { wide(formula, lying, registers, target) };
            }
        }
        run(formula, lying, registers, target);
    }

    #[inline(always)]
    fn other(step: &Step, from: Inputs<'_, f32>, to: &mut [f32; CHUNK]) {
        let [a, b, ..] = from;
        let is_angle = |x: f32| x.abs() <= f32_math::LARGEST_ANGLE;
        match step.operation {
            Operation::Erfinv if a.iter().all(|y| y.abs() <= f32_inverse::USUAL_ERF) => {
                for (to, y) in to.iter_mut().zip(a) {
                    *to = f32_inverse::erfinv_of_usual(*y);
                }
            }
            Operation::Erfinv => {
                let of_all = |y: f32| Self::real(erfinv(y.into()));
                usually(a, to, |y| y.abs() < 1.0, f32_inverse::erfinv, of_all);
            }
            Operation::Atan2 => {
                for (to, (y, x)) in to.iter_mut().zip(a.iter().zip(b)) {
                    *to = f32_inverse::atan2(*y, *x);
                }
            }
            Operation::Lgamma => {
                let of_all = |x: f32, _| Self::real(libm::lgamma(x.into()));
                mostly([a, a], to, |x, _| f32_inverse::lgamma(x), of_all);
            }
            Operation::Exp2 => {
                let of_usual = f32_math::exp2_of_usual;
                usually(a, to, |x| x.abs() < 126.0, of_usual, f32_math::exp2);
            }
            Operation::Sin => usually(a, to, is_angle, |x| f32_math::sine(x, 0), f32::sin),
            Operation::Cos => usually(a, to, is_angle, |x| f32_math::sine(x, 1), f32::cos),
            Operation::Ln => usually(
                a,
                to,
                f32_math::is_usual,
                f32_math::ln_of_usual,
                f32_math::ln,
            ),
            Operation::Log2 => {
                usually(
                    a,
                    to,
                    f32_math::is_usual,
                    f32_math::log2_of_usual,
                    f32_math::log2,
                );
            }
            Operation::Ln1p => {
                let is_usual = f32_math::is_usual_for_ln_1p;
                usually(a, to, is_usual, f32_math::ln_1p_of_usual, f32_math::ln_1p);
            }
            _ => real(step, from, to),
        }
    }

    #[inline(always)]
    fn powers([a, b, ..]: Inputs<'_, f32>, to: &mut [f32; CHUNK]) {
        mostly([a, b], to, f32_inverse::power, Self::power);
    }

    #[inline(always)]
    fn remainders([a, b, ..]: Inputs<'_, f32>, to: &mut [f32; CHUNK]) {
        let mut are_right = true;
        for (to, (a, b)) in to.iter_mut().zip(a.iter().zip(b)) {
            let (rest, is_right) = f32_math::remainder(*a, *b);
            *to = rest;
            are_right &= is_right;
        }
        if !are_right {
            two(a, b, to, Self::remainder);
        }
    }
}

/// Applies a function that also says where it is right, in a loop of vectors, and the function for all numbers elsewhere.
#[inline(always)]
fn mostly(
    [a, b]: [&[f32; CHUNK]; 2],
    to: &mut [f32; CHUNK],
    of_usual: impl Fn(f32, f32) -> (f32, bool),
    of_all: impl Fn(f32, f32) -> f32,
) {
    let mut are_right = true;
    let mut index = 0;
    // Loops with an index, as those of `loops`.
    #[expect(clippy::indexing_slicing, reason = "all have the length of the loop")]
    while index < CHUNK {
        let (result, is_right) = of_usual(a[index], b[index]);
        to[index] = result;
        are_right &= is_right;
        index += 1;
    }
    #[expect(clippy::indexing_slicing, reason = "as above")]
    while index > 0 && !are_right {
        index -= 1;
        if !of_usual(a[index], b[index]).1 {
            to[index] = of_all(a[index], b[index]);
        }
    }
}

/// Applies a function that is right for usual numbers, in a loop of vectors, and if there is another number the function for all.
#[inline(always)]
fn usually(
    from: &[f32; CHUNK],
    to: &mut [f32; CHUNK],
    is_usual: impl Fn(f32) -> bool,
    of_usual: impl Fn(f32) -> f32,
    of_all: impl Fn(f32) -> f32,
) {
    let mut are_usual = true;
    let mut index = 0;
    #[expect(clippy::indexing_slicing, reason = "both have the length of the loop")]
    while index < CHUNK {
        to[index] = of_usual(from[index]);
        are_usual &= is_usual(from[index]);
        index += 1;
    }
    if are_usual {
        return;
    }
    index = 0;
    #[expect(clippy::indexing_slicing, reason = "as above")]
    while index < CHUNK {
        to[index] = of_all(from[index]);
        index += 1;
    }
}

impl Computed for f64 {
    #[inline(always)]
    fn other(step: &Step, from: Inputs<'_, f64>, to: &mut [f64; CHUNK]) {
        real(step, from, to);
    }
}

impl Computed for Whole {
    #[inline(always)]
    fn other(step: &Step, from: Inputs<'_, Whole>, to: &mut [Whole; CHUNK]) {
        whole(step, from, to);
    }
}

/// The registers that a step reads.
pub(super) type Inputs<'a, W> = [&'a [W; CHUNK]; 4];

/// Returns the registers that a step reads.
#[inline(always)]
fn inputs<'a, W>(
    lying: &Lying<'a, W>,
    registers: &'a [[W; CHUNK]],
    step: &Step,
) -> Option<Inputs<'a, W>> {
    let of = |index: u8| match lying.get(usize::from(index)) {
        Some(Some(place)) => Some(*place),
        _ => registers.get(usize::from(index)),
    };
    let [a, b, c, d] = step.from;
    Some([of(a)?, of(b)?, of(c)?, of(d)?])
}

/// Runs the steps of a formula. It is inlined into code for several sets of instructions.
#[inline(always)]
fn run<W: Computed>(
    formula: &Formula,
    lying: &Lying<'_, W>,
    registers: &mut [[W; CHUNK]],
    mut target: Option<&mut [W; CHUNK]>,
) {
    for (register, step) in (formula.first()..).zip(formula.steps()) {
        let Some((before, [own, behind @ ..])) = registers.split_at_mut_checked(register) else {
            return;
        };
        let Some(from) = inputs(lying, before, step) else {
            return;
        };
        let to = match &mut target {
            Some(target) if behind.is_empty() => target,
            _ => own,
        };
        if !common(step, from, to) {
            W::other(step, from, to);
        }
    }
}

/// Defines the match over operations: each is a loop. There are many, and the adapters of iterators would be most of what
/// the compiler translates of each.
macro_rules! loops {
    ($step:expr, $from:expr, $to:expr, $otherwise:expr; $($operation:ident = |$a:ident $(, $b:ident $(, $c:ident $(, $d:ident)?)?)?| $value:expr;)*) => {{
        let [_a, _b, _c, _d] = $from;
        match $step.operation {
            $(Operation::$operation => {
                let mut index = 0;
                while index < CHUNK {
                    #[allow(clippy::indexing_slicing, reason = "all have the length of the loop")]
                    {
                        let $a = _a[index];
                        $(let $b = _b[index]; $(let $c = _c[index]; $(let $d = _d[index];)?)?)?
                        $to[index] = $value;
                    }
                    index += 1;
                }
            })*
            _ => $otherwise,
        }
    }};
}

/// Returns the larger of two numbers and then the smaller of that and a third one, or NaN if one is NaN. An instruction that chooses
/// the larger number gives the second one if the first is NaN, so the third one is not asked for.
#[inline(always)]
fn limited<W: Number>(number: W, least: W, most: W) -> W {
    let larger = if number > least { number } else { least };
    let smaller = if larger < most { larger } else { most };
    if number.is_nan() | least.is_nan() {
        number + least
    } else {
        smaller
    }
}

/// Applies a function that no vector instruction has to each number.
fn one<W: Number>(from: &[W; CHUNK], to: &mut [W; CHUNK], function: fn(W) -> W) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = function(*from);
    }
}

/// Applies a function that no vector instruction has to each pair of numbers. Returns true.
fn two<W: Number>(
    one: &[W; CHUNK],
    other: &[W; CHUNK],
    to: &mut [W; CHUNK],
    function: fn(W, W) -> W,
) -> bool {
    for (to, (one, other)) in to.iter_mut().zip(one.iter().zip(other)) {
        *to = function(*one, *other);
    }
    true
}

/// Runs a step that all numbers have. Returns whether it was one.
#[inline(always)]
fn common<W: Computed>(step: &Step, from: Inputs<'_, W>, to: &mut [W; CHUNK]) -> bool {
    let [_, b, ..] = from;
    loops! { step, from, to, return match step.operation {
            Operation::Remainder => {
                W::remainders(from, to);
                true
            }
            Operation::RemainderDown => {
                W::remainders(from, to);
                let results = to.iter_mut().zip(b);
                results.for_each(|(rest, divisor)| *rest = rest.with_sign_of(*divisor));
                true
            }
            Operation::Power => {
                W::powers(from, to);
                true
            }
            _ => false,
        };
        Copied = |a| a;
        Sum = |a, b| a + b;
        Difference = |a, b| a - b;
        Product = |a, b| a * b;
        Quotient = |a, b| a.quotient(b);
        QuotientDown = |a, b| a.quotient_down(b);
        Negative = |a| -a;
        Absolute = |a| a.absolute();
        Sign = |a| a.sign();
        Floor = |a| a.floor();
        Ceil = |a| a.ceil();
        Trunc = |a| a.trunc();
        Round = |a| a.round();
        IsNan = |a| W::truth(a.is_nan());
        IsInfinite = |a| W::truth(a.is_infinite());
        Not = |a| W::truth(!a.is_true());
        Larger = |a, b| a.larger(b);
        Smaller = |a, b| a.smaller(b);
        And = |a, b| W::truth(a.is_true() & b.is_true());
        Or = |a, b| W::truth(a.is_true() | b.is_true());
        Xor = |a, b| W::truth(a.is_true() != b.is_true());
        Less = |a, b| W::truth(a < b);
        AtMost = |a, b| W::truth(a <= b);
        Greater = |a, b| W::truth(a > b);
        AtLeast = |a, b| W::truth(a >= b);
        Equal = |a, b| W::truth(a == b);
        Different = |a, b| W::truth(a != b);
        Choice = |a, b, c| if a.is_true() { b } else { c };
        ChoiceLess = |a, b, c, d| if a < b { c } else { d };
        ChoiceEqual = |a, b, c, d| if a == b { c } else { d };
        ProductSum = |a, b, c| a * b + c;
        ProductFrom = |a, b, c| c - a * b;
        SumProduct = |a, b, c| (a + b) * c;
        DifferenceProduct = |a, b, c| (a - b) * c;
        LargerSmaller = |a, b, c| limited(a, b, c);
        Finite = |a, b, c, d| {
            let other = if a > W::ZERO { c } else if a < W::ZERO { d } else { b };
            if a * W::ZERO == W::ZERO { a } else { other }
        };
    }
    true
}

/// Runs a step that real numbers have.
#[inline(always)]
fn real<W: Real + Computed>(step: &Step, from: Inputs<'_, W>, to: &mut [W; CHUNK]) {
    let [a, ..] = from;
    loops! { step, from, to, match step.operation {
            Operation::Sin => one(a, to, W::sin),
            Operation::Cos => one(a, to, W::cos),
            operation => seldom(operation, from, to),
        };
        Division = |a, b| a / b;
        ProductDivision = |a, b, c| a * b / c;
        Exp = |a| a.exp();
        Exp2 = |a| a.exp2();
        ExpM1 = |a| a.exp_m1();
        Ln = |a| a.ln();
        Log2 = |a| a.log2();
        Ln1p = |a| a.ln_1p();
        Sqrt = |a| a.sqrt();
        Erf = |a| a.erf();
        Tanh = |a| a.tanh();
        Sigmoid = |a| a.sigmoid();
        Silu = |a| a.silu();
        Softplus = |a| a.softplus();
        Gelu = |a| a.gelu();
        GeluTanh = |a| a.gelu_tanh();
        Between = |a, b, c| {
            let way = b - a;
            let (from_first, from_end) = (a + c * way, b - way * (W::real(1.0) - c));
            if c.absolute() < W::real(0.5) { from_first } else { from_end }
        };
        Leaky = |a, b| if a > W::ZERO { a } else { a * b };
        HardSigmoid = |a| limited(a * W::real(1.0 / 6.0) + W::real(0.5), W::ZERO, W::real(1.0));
        HardSwish = |a| a * limited(a + W::real(3.0), W::ZERO, W::real(6.0)) / W::real(6.0);
        HardSlope = |a, b| {
            let inside = if b <= W::real(3.0) { a * (b * W::real(1.0 / 3.0) + W::real(0.5)) } else { a };
            if b < W::real(-3.0) { W::ZERO } else { inside }
        };
        Smooth = |a, b| {
            let half = W::real(0.5);
            let size = a.absolute();
            if size < b { half * size * size / b } else { size - half * b }
        };
        SmoothSlope = |a, b| if a.absolute() < b { a / b } else { a.sign() };
        SiluSlope = |a, b| {
            let open = b.sigmoid();
            a * open * (W::real(1.0) + b * (W::real(1.0) - open))
        };
    }
}

/// Runs a step of a function that few operators have: in double precision, which gives nearly each result of single
/// precision as if it was rounded once.
fn seldom<W: Real>(operation: Operation, [a, b, ..]: Inputs<'_, W>, to: &mut [W; CHUNK]) {
    for ((to, a), b) in to.iter_mut().zip(a).zip(b) {
        *to = W::real(of_doubles(operation, a.double(), b.double()));
    }
}

fn of_doubles(operation: Operation, a: f64, b: f64) -> f64 {
    match operation {
        Operation::Tan => a.tan(),
        Operation::Asin => a.asin(),
        Operation::Acos => a.acos(),
        Operation::Atan => a.atan(),
        Operation::Sinh => a.sinh(),
        Operation::Cosh => a.cosh(),
        Operation::Asinh => libm::asinh(a),
        Operation::Acosh => libm::acosh(a),
        Operation::Atanh => libm::atanh(a),
        Operation::Log10 => a.log10(),
        Operation::Erfc => libm::erfc(a),
        Operation::Erfinv => erfinv(a),
        Operation::Lgamma => libm::lgamma(a),
        Operation::Digamma => digamma(a),
        Operation::Sinc if a == 0.0 => 1.0,
        Operation::Sinc => (PI * a).sin() / (PI * a),
        Operation::Signbit => f64::from(u8::from(a.is_sign_negative())),
        Operation::Atan2 => a.atan2(b),
        // The parser gives these numbers no other step.
        _ => f64::NAN,
    }
}

/// Runs a step that integers have.
fn whole(step: &Step, from: Inputs<'_, Whole>, to: &mut [Whole; CHUNK]) {
    loops! { step, from, to, ();
        BitsNot = |a| Whole(!a.0);
        BitsAnd = |a, b| Whole(a.0 & b.0);
        BitsOr = |a, b| Whole(a.0 | b.0);
        BitsXor = |a, b| Whole(a.0 ^ b.0);
        ShiftLeft = |a, b| Whole(shift(a.0, b.0, i64::checked_shl, 0));
        ShiftRight = |a, b| Whole(shift(a.0, b.0, i64::checked_shr, a.0 >> 63));
        Gcd = |a, b| Whole(gcd(a.0, b.0));
    }
}

/// Shifts a number; `end` is what no bit of it is left of.
fn shift(number: i64, bits: i64, by: fn(i64, u32) -> Option<i64>, end: i64) -> i64 {
    u32::try_from(bits)
        .ok()
        .and_then(|bits| by(number, bits))
        .unwrap_or(end)
}

/// Returns the greatest common divisor, which is not negative.
fn gcd(one: i64, other: i64) -> i64 {
    let (mut one, mut other) = (one.unsigned_abs(), other.unsigned_abs());
    while let Some(rest) = one.checked_rem(other) {
        (one, other) = (other, rest);
    }
    // CAST: the divisor of two numbers of 63 bits, except for that of the least number and 0.
    one as i64
}

/// Returns the number whose error function this is: from a nearby one, by Newton's method.
pub(super) fn erfinv(y: f64) -> f64 {
    if y.abs() >= 1.0 {
        // NaN behind the ends.
        return if y.abs() == 1.0 {
            y * f64::INFINITY
        } else {
            f64::NAN
        };
    }
    // Winitzki's approximation, with an error below one percent.
    let part = (1.0 - y * y).ln();
    let half = 2.0 / (PI * 0.147) + part / 2.0;
    let mut x = ((half * half - part / 0.147).sqrt() - half)
        .sqrt()
        .copysign(y);
    for _ in 0..4 {
        let error = if y.abs() < 0.5 {
            libm::erf(x) - y
        } else {
            // Near the ends the complement has more digits.
            (1.0 - y.abs() - libm::erfc(x.abs())) * y.signum()
        };
        let step = error * PI.sqrt() / 2.0 * (x * x).exp();
        // Halley's correction.
        x -= step / (1.0 + x * step);
    }
    x
}

/// Returns the derivative of the logarithm of the gamma function.
fn digamma(mut x: f64) -> f64 {
    if x == 0.0 {
        return f64::INFINITY.copysign(-x);
    }
    if x < 0.0 {
        if x == x.floor() {
            return f64::NAN;
        }
        return digamma(1.0 - x) - PI / (PI * x).tan();
    }
    let mut sum = 0.0;
    while x < 10.0 {
        sum -= 1.0 / x;
        x += 1.0;
    }
    // The asymptotic series, with the numbers of Bernoulli.
    let square = 1.0 / (x * x);
    let terms = [
        1.0 / 12.0,
        -1.0 / 120.0,
        1.0 / 252.0,
        -1.0 / 240.0,
        1.0 / 132.0,
        -691.0 / 32760.0,
    ];
    let series = terms
        .iter()
        .rev()
        .fold(0.0, |sum, term| (sum + term) * square);
    sum + x.ln() - 0.5 / x - series
}
