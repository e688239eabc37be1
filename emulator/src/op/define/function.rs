//! Functions of one element, and conversions.

use super::definitions;
use crate::op::by_formula::formula;
use crate::op::call::Call;
use crate::op::dtype::{FLOATING, MOVABLE, REAL, SINGLE, types};
use crate::op::elementwise::Elementwise;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::unary::EXP;

definitions! {
    aclnnAbs = formula!(|x| "abs(x)").same(REAL);
    aclnnNeg, aclnnInplaceNeg = formula!(|x| "-x").takes(types!(bf16 f16 f32 f64 s8 s32 s64)).gives(types!(bf16 f16 f32 f64 s8 s32 s64));
    aclnnSign = formula!(|x| "sign(x)").same(types!(f64 f32 f16 s32 s64 bool bf16));
    aclnnReciprocal, aclnnInplaceReciprocal = formula!(real |x| "1 / x").gives(FLOATING);
    aclnnExp, aclnnInplaceExp = formula!(real |x| "exp(x)").takes(types!(bf16 f16 f32 f64 s64 bool)).gives(FLOATING).unary(EXP);
    aclnnExp2, aclnnInplaceExp2 = formula!(real |x| "exp2(x)").gives(FLOATING);
    aclnnExpm1, aclnnInplaceExpm1 = formula!(real |x| "exp_m1(x)").takes(types!(bf16 f16 f32 s64 bool)).gives(FLOATING);
    aclnnLog, aclnnInplaceLog = formula!(real |x| "ln(x)").gives(FLOATING);
    aclnnLog2, aclnnInplaceLog2 = formula!(real |x| "log2(x)").gives(FLOATING);
    aclnnLog1p, aclnnInplaceLog1p = formula!(real |x| "ln_1p(x)").gives(FLOATING);
    aclnnSqrt, aclnnInplaceSqrt = formula!(real |x| "sqrt(x)").gives(FLOATING);
    aclnnRsqrt, aclnnInplaceRsqrt = formula!(real |x| "1 / sqrt(x)").gives(FLOATING);
    aclnnSin, aclnnInplaceSin = formula!(real |x| "sin(x)").gives(FLOATING);
    aclnnCos, aclnnInplaceCos = formula!(real |x| "cos(x)").gives(FLOATING);
    aclnnErf, aclnnInplaceErf = formula!(real |x| "erf(x)").takes(types!(f16 f32 f64 bf16 s64 bool)).gives(FLOATING);
    aclnnFloor, aclnnInplaceFloor =
        formula!(|x| "floor(x)").same(types!(bf16 f16 f32 f64 s8 s16 s32 s64 u8 u16 u32 u64));
    aclnnCeil, aclnnInplaceCeil = formula!(|x| "ceil(x)").same(FLOATING);
    aclnnTrunc, aclnnInplaceTrunc = formula!(|x| "trunc(x)").same(SINGLE);
    aclnnRound, aclnnInplaceRound = formula!(|x| "round(x)").same(types!(bf16 f16 f32 f64 s32 s64));
    aclnnNanToNum, aclnnInplaceNanToNum = formula!(|x, nan, most, least| "finite(x, nan, most, least)")
    .same(types!(bf16 f16 f32 s8 s16 s32 s64 u8 bool));
    aclnnCast = super::join::cast;
    aclnnInplaceCopy = formula!(|_x, source| "source").converted(MOVABLE).overwriting();
    aclnnAcos, aclnnInplaceAcos = formula!(real |x| "acos(x)").gives(FLOATING);
    aclnnAcosh, aclnnInplaceAcosh = formula!(real |x| "acosh(x)").gives(FLOATING);
    aclnnAsin, aclnnInplaceAsin = formula!(real |x| "asin(x)").gives(FLOATING);
    aclnnAsinh, aclnnInplaceAsinh = formula!(real |x| "asinh(x)").gives(FLOATING);
    aclnnAtan, aclnnInplaceAtan = formula!(real |x| "atan(x)").gives(FLOATING);
    aclnnAtanh, aclnnInplaceAtanh = formula!(real |x| "atanh(x)").gives(FLOATING);
    aclnnCosh, aclnnInplaceCosh = formula!(real |x| "cosh(x)").gives(FLOATING);
    aclnnSinh, aclnnInplaceSinh = formula!(real |x| "sinh(x)").gives(FLOATING);
    aclnnTan, aclnnInplaceTan = formula!(real |x| "tan(x)").gives(FLOATING);
    aclnnErfc, aclnnInplaceErfc = formula!(real |x| "erfc(x)").gives(FLOATING);
    aclnnErfinv, aclnnInplaceErfinv = formula!(real |x| "erfinv(x)").gives(FLOATING);
    aclnnLog10, aclnnInplaceLog10 = formula!(real |x| "log10(x)").gives(FLOATING);
    aclnnDigamma = formula!(real |x| "digamma(x)").gives(FLOATING);
    aclnnLgamma = formula!(real |x| "lgamma(x)").gives(FLOATING);
    aclnnSinc, aclnnInplaceSinc = formula!(real |x| "sinc(x)").gives(FLOATING);
    aclnnFrac, aclnnInplaceFrac = formula!(|x| "x - trunc(x)").same(types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8));
    aclnnSquare = formula!(|x| "x * x").same(types!(f32 f16 bf16 s32 s64));
    aclnnRoundDecimals, aclnnInplaceRoundDecimals = decimals;
}

/// `aclnnRoundDecimals(self, decimals, out)`: a whole number has digits in front of the point only, which are rounded where
/// `decimals` is negative.
fn decimals(call: &Call) -> Result<Plan, Refusal> {
    const REAL_DIGITS: Elementwise<2> = formula!(
        real | x,
        decimals
            | "p = power(10, abs(decimals)); \
         decimals == 0 ? round(x) : decimals > 0 ? round(x * p) / p : round(x / p) * p"
    )
    .same(types!(f32 f16 bf16 f64));
    const WHOLE_DIGITS: Elementwise<2> = formula!(
        |x, decimals| "p = power(10, max(0 - decimals, 0)); r = remainder_down(x, p); \
         is_odd = remainder_down(quotient_down(x, p), 2) == 1; \
         or(r > p - r, and(r == p - r, is_odd)) ? x - r + p : x - r"
    )
    .same(types!(s32 s64));
    const NO_DIGITS: Elementwise<2> = formula!(|x, _decimals| "x - x").same(types!(s32 s64));
    let (sources, out) = call.elements()?;
    // The digits of the largest numbers.
    let digits = match out.dtype() {
        ascendcl_sys::ACL_INT32 => 9,
        ascendcl_sys::ACL_INT64 => 18,
        _ => return REAL_DIGITS.plan_of(call, &sources, out),
    };
    if call.whole("decimals")? < -digits {
        return NO_DIGITS.plan_of(call, &sources, out);
    }
    WHOLE_DIGITS.plan_of(call, &sources, out)
}
