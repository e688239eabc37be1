//! Functions of one element, and conversions.

use super::definitions;
use crate::op::dtype::{FLOATING, MOVABLE, REAL, SINGLE, types};
use crate::op::elementwise::elementwise;
use crate::op::unary::EXP;

definitions! {
    aclnnAbs = elementwise!(|x| x.absolute()).same(REAL);
    aclnnNeg, aclnnInplaceNeg = elementwise!(|x| -x).takes(types!(bf16 f16 f32 f64 s8 s32 s64)).gives(types!(bf16 f16 f32 f64 s8 s32 s64));
    aclnnSign = elementwise!(|x| x.sign()).same(types!(f64 f32 f16 s32 s64 bool bf16));
    aclnnReciprocal, aclnnInplaceReciprocal = elementwise!(real |x| W::real(1.0) / x).gives(FLOATING);
    aclnnExp, aclnnInplaceExp = elementwise!(real |x| x.exp()).takes(types!(bf16 f16 f32 f64 s64 bool)).gives(FLOATING).unary(EXP);
    aclnnExp2, aclnnInplaceExp2 = elementwise!(real |x| x.exp2()).gives(FLOATING);
    aclnnExpm1, aclnnInplaceExpm1 = elementwise!(real |x| x.exp_m1()).takes(types!(bf16 f16 f32 s64 bool)).gives(FLOATING);
    aclnnLog, aclnnInplaceLog = elementwise!(real |x| x.ln()).gives(FLOATING);
    aclnnLog2, aclnnInplaceLog2 = elementwise!(real |x| x.log2()).gives(FLOATING);
    aclnnLog1p, aclnnInplaceLog1p = elementwise!(real |x| x.ln_1p()).gives(FLOATING);
    aclnnSqrt, aclnnInplaceSqrt = elementwise!(real |x| x.sqrt()).gives(FLOATING);
    aclnnRsqrt, aclnnInplaceRsqrt = elementwise!(real |x| W::real(1.0) / x.sqrt()).gives(FLOATING);
    aclnnSin, aclnnInplaceSin = elementwise!(real |x| x.sin()).gives(FLOATING);
    aclnnCos, aclnnInplaceCos = elementwise!(real |x| x.cos()).gives(FLOATING);
    aclnnErf, aclnnInplaceErf = elementwise!(real |x| x.erf()).takes(types!(f16 f32 f64 bf16 s64 bool)).gives(FLOATING);
    aclnnFloor, aclnnInplaceFloor =
        elementwise!(|x| x.floor()).same(types!(bf16 f16 f32 f64 s8 s16 s32 s64 u8 u16 u32 u64));
    aclnnCeil, aclnnInplaceCeil = elementwise!(|x| x.ceil()).same(FLOATING);
    aclnnTrunc, aclnnInplaceTrunc = elementwise!(|x| x.trunc()).same(SINGLE);
    aclnnRound, aclnnInplaceRound = elementwise!(|x| x.round()).same(types!(bf16 f16 f32 f64 s32 s64));
    aclnnNanToNum, aclnnInplaceNanToNum = elementwise!(|x, nan, most, least| if x.is_nan() {
        nan
    } else if !x.is_infinite() {
        x
    } else if x > W::ZERO {
        most
    } else {
        least
    })
    .same(types!(bf16 f16 f32 s8 s16 s32 s64 u8 bool));
    aclnnCast = super::join::cast;
    aclnnInplaceCopy = elementwise!(|_x, source| source).converted(MOVABLE).overwriting();
}
