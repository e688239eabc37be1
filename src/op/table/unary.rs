//! Functions of each element.

use ascendcl_sys as sys;

use crate::op::element::{Arithmetic, Floating, Fractional, Numeric, Signed};
use crate::op::table::{any_shape, functions};

functions! {
    "The output has the shape of the operand, or is the operand itself, which `tensor_mut` lends then.";
    /// Prepares the absolute value (`aclnnAbs`).
    #[doc(alias("aclnnAbs", "aclnnAbsGetWorkspaceSize"))]
    Abs<T: Arithmetic>, abs(a: in T, out: out T)
        = aclnnAbs, aclnnAbsGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `-a` (`aclnnNeg`).
    #[doc(alias("aclnnNeg", "aclnnNegGetWorkspaceSize"))]
    Neg<T: Signed>, neg(a: in T, out: out T)
        = aclnnNeg, aclnnNegGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `-a` in place (`aclnnInplaceNeg`).
    #[doc(alias("aclnnInplaceNeg", "aclnnInplaceNegGetWorkspaceSize"))]
    InplaceNeg<T: Signed>, inplace_neg(a: only_inout T)
        = aclnnInplaceNeg, aclnnInplaceNegGetWorkspaceSize, |_| any_shape();
    /// Prepares -1, 0 or 1, the sign (`aclnnSign`).
    #[doc(alias("aclnnSign", "aclnnSignGetWorkspaceSize"))]
    Sign<T: Numeric>, sign(a: in T, out: out T)
        = aclnnSign, aclnnSignGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `1 / a` (`aclnnReciprocal`).
    #[doc(alias("aclnnReciprocal", "aclnnReciprocalGetWorkspaceSize"))]
    Reciprocal<T: Fractional>, reciprocal(a: in T, out: out T)
        = aclnnReciprocal, aclnnReciprocalGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `1 / a` in place (`aclnnInplaceReciprocal`).
    #[doc(alias("aclnnInplaceReciprocal", "aclnnInplaceReciprocalGetWorkspaceSize"))]
    InplaceReciprocal<T: Fractional>, inplace_reciprocal(a: only_inout T)
        = aclnnInplaceReciprocal, aclnnInplaceReciprocalGetWorkspaceSize, |_| any_shape();
    /// Prepares `e ^ a` (`aclnnExp`).
    #[doc(alias("aclnnExp", "aclnnExpGetWorkspaceSize"))]
    Exp<T: Fractional>, exp(a: in T, out: out T)
        = aclnnExp, aclnnExpGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `e ^ a` in place (`aclnnInplaceExp`).
    #[doc(alias("aclnnInplaceExp", "aclnnInplaceExpGetWorkspaceSize"))]
    InplaceExp<T: Fractional>, inplace_exp(a: only_inout T)
        = aclnnInplaceExp, aclnnInplaceExpGetWorkspaceSize, |_| any_shape();
    /// Prepares `2 ^ a` (`aclnnExp2`).
    #[doc(alias("aclnnExp2", "aclnnExp2GetWorkspaceSize"))]
    Exp2<T: Fractional>, exp2(a: in T, out: out T)
        = aclnnExp2, aclnnExp2GetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `2 ^ a` in place (`aclnnInplaceExp2`).
    #[doc(alias("aclnnInplaceExp2", "aclnnInplaceExp2GetWorkspaceSize"))]
    InplaceExp2<T: Fractional>, inplace_exp2(a: only_inout T)
        = aclnnInplaceExp2, aclnnInplaceExp2GetWorkspaceSize, |_| any_shape();
    /// Prepares `e ^ a - 1`, exact for small numbers (`aclnnExpm1`).
    #[doc(alias("aclnnExpm1", "aclnnExpm1GetWorkspaceSize"))]
    Expm1<T: Floating>, expm1(a: in T, out: out T)
        = aclnnExpm1, aclnnExpm1GetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `e ^ a - 1`, exact for small numbers in place (`aclnnInplaceExpm1`).
    #[doc(alias("aclnnInplaceExpm1", "aclnnInplaceExpm1GetWorkspaceSize"))]
    InplaceExpm1<T: Floating>, inplace_expm1(a: only_inout T)
        = aclnnInplaceExpm1, aclnnInplaceExpm1GetWorkspaceSize, |_| any_shape();
    /// Prepares the natural logarithm (`aclnnLog`).
    #[doc(alias("aclnnLog", "aclnnLogGetWorkspaceSize"))]
    Log<T: Fractional>, log(a: in T, out: out T)
        = aclnnLog, aclnnLogGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the natural logarithm in place (`aclnnInplaceLog`).
    #[doc(alias("aclnnInplaceLog", "aclnnInplaceLogGetWorkspaceSize"))]
    InplaceLog<T: Fractional>, inplace_log(a: only_inout T)
        = aclnnInplaceLog, aclnnInplaceLogGetWorkspaceSize, |_| any_shape();
    /// Prepares the logarithm to the base 2 (`aclnnLog2`).
    #[doc(alias("aclnnLog2", "aclnnLog2GetWorkspaceSize"))]
    Log2<T: Fractional>, log2(a: in T, out: out T)
        = aclnnLog2, aclnnLog2GetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the logarithm to the base 2 in place (`aclnnInplaceLog2`).
    #[doc(alias("aclnnInplaceLog2", "aclnnInplaceLog2GetWorkspaceSize"))]
    InplaceLog2<T: Fractional>, inplace_log2(a: only_inout T)
        = aclnnInplaceLog2, aclnnInplaceLog2GetWorkspaceSize, |_| any_shape();
    /// Prepares the natural logarithm of `1 + a`, exact for small numbers (`aclnnLog1p`).
    #[doc(alias("aclnnLog1p", "aclnnLog1pGetWorkspaceSize"))]
    Log1p<T: Fractional>, log1p(a: in T, out: out T)
        = aclnnLog1p, aclnnLog1pGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the natural logarithm of `1 + a`, exact for small numbers in place (`aclnnInplaceLog1p`).
    #[doc(alias("aclnnInplaceLog1p", "aclnnInplaceLog1pGetWorkspaceSize"))]
    InplaceLog1p<T: Fractional>, inplace_log1p(a: only_inout T)
        = aclnnInplaceLog1p, aclnnInplaceLog1pGetWorkspaceSize, |_| any_shape();
    /// Prepares the square root (`aclnnSqrt`).
    #[doc(alias("aclnnSqrt", "aclnnSqrtGetWorkspaceSize"))]
    Sqrt<T: Fractional>, sqrt(a: in T, out: out T)
        = aclnnSqrt, aclnnSqrtGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the square root in place (`aclnnInplaceSqrt`).
    #[doc(alias("aclnnInplaceSqrt", "aclnnInplaceSqrtGetWorkspaceSize"))]
    InplaceSqrt<T: Fractional>, inplace_sqrt(a: only_inout T)
        = aclnnInplaceSqrt, aclnnInplaceSqrtGetWorkspaceSize, |_| any_shape();
    /// Prepares `1 / sqrt(a)` (`aclnnRsqrt`).
    #[doc(alias("aclnnRsqrt", "aclnnRsqrtGetWorkspaceSize"))]
    Rsqrt<T: Fractional>, rsqrt(a: in T, out: out T)
        = aclnnRsqrt, aclnnRsqrtGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `1 / sqrt(a)` in place (`aclnnInplaceRsqrt`).
    #[doc(alias("aclnnInplaceRsqrt", "aclnnInplaceRsqrtGetWorkspaceSize"))]
    InplaceRsqrt<T: Fractional>, inplace_rsqrt(a: only_inout T)
        = aclnnInplaceRsqrt, aclnnInplaceRsqrtGetWorkspaceSize, |_| any_shape();
    /// Prepares the sine (`aclnnSin`).
    #[doc(alias("aclnnSin", "aclnnSinGetWorkspaceSize"))]
    Sin<T: Fractional>, sin(a: in T, out: out T)
        = aclnnSin, aclnnSinGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the sine in place (`aclnnInplaceSin`).
    #[doc(alias("aclnnInplaceSin", "aclnnInplaceSinGetWorkspaceSize"))]
    InplaceSin<T: Fractional>, inplace_sin(a: only_inout T)
        = aclnnInplaceSin, aclnnInplaceSinGetWorkspaceSize, |_| any_shape();
    /// Prepares the cosine (`aclnnCos`).
    #[doc(alias("aclnnCos", "aclnnCosGetWorkspaceSize"))]
    Cos<T: Fractional>, cos(a: in T, out: out T)
        = aclnnCos, aclnnCosGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the cosine in place (`aclnnInplaceCos`).
    #[doc(alias("aclnnInplaceCos", "aclnnInplaceCosGetWorkspaceSize"))]
    InplaceCos<T: Fractional>, inplace_cos(a: only_inout T)
        = aclnnInplaceCos, aclnnInplaceCosGetWorkspaceSize, |_| any_shape();
    /// Prepares the error function (`aclnnErf`).
    #[doc(alias("aclnnErf", "aclnnErfGetWorkspaceSize"))]
    Erf<T: Fractional>, erf(a: in T, out: out T)
        = aclnnErf, aclnnErfGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the error function in place (`aclnnInplaceErf`).
    #[doc(alias("aclnnInplaceErf", "aclnnInplaceErfGetWorkspaceSize"))]
    InplaceErf<T: Fractional>, inplace_erf(a: only_inout T)
        = aclnnInplaceErf, aclnnInplaceErfGetWorkspaceSize, |_| any_shape();
    /// Prepares the largest whole number that is not larger (`aclnnFloor`).
    #[doc(alias("aclnnFloor", "aclnnFloorGetWorkspaceSize"))]
    Floor<T: Fractional>, floor(a: in T, out: out T)
        = aclnnFloor, aclnnFloorGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the largest whole number that is not larger in place (`aclnnInplaceFloor`).
    #[doc(alias("aclnnInplaceFloor", "aclnnInplaceFloorGetWorkspaceSize"))]
    InplaceFloor<T: Fractional>, inplace_floor(a: only_inout T)
        = aclnnInplaceFloor, aclnnInplaceFloorGetWorkspaceSize, |_| any_shape();
    /// Prepares the smallest whole number that is not smaller (`aclnnCeil`).
    #[doc(alias("aclnnCeil", "aclnnCeilGetWorkspaceSize"))]
    Ceil<T: Fractional>, ceil(a: in T, out: out T)
        = aclnnCeil, aclnnCeilGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the smallest whole number that is not smaller in place (`aclnnInplaceCeil`).
    #[doc(alias("aclnnInplaceCeil", "aclnnInplaceCeilGetWorkspaceSize"))]
    InplaceCeil<T: Fractional>, inplace_ceil(a: only_inout T)
        = aclnnInplaceCeil, aclnnInplaceCeilGetWorkspaceSize, |_| any_shape();
    /// Prepares the whole number towards zero (`aclnnTrunc`).
    #[doc(alias("aclnnTrunc", "aclnnTruncGetWorkspaceSize"))]
    Trunc<T: Floating>, trunc(a: in T, out: out T)
        = aclnnTrunc, aclnnTruncGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the whole number towards zero in place (`aclnnInplaceTrunc`).
    #[doc(alias("aclnnInplaceTrunc", "aclnnInplaceTruncGetWorkspaceSize"))]
    InplaceTrunc<T: Floating>, inplace_trunc(a: only_inout T)
        = aclnnInplaceTrunc, aclnnInplaceTruncGetWorkspaceSize, |_| any_shape();
    /// Prepares the nearest whole number, of two the even one (`aclnnRound`).
    #[doc(alias("aclnnRound", "aclnnRoundGetWorkspaceSize"))]
    Round<T: Fractional>, round(a: in T, out: out T)
        = aclnnRound, aclnnRoundGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the nearest whole number, of two the even one in place (`aclnnInplaceRound`).
    #[doc(alias("aclnnInplaceRound", "aclnnInplaceRoundGetWorkspaceSize"))]
    InplaceRound<T: Fractional>, inplace_round(a: only_inout T)
        = aclnnInplaceRound, aclnnInplaceRoundGetWorkspaceSize, |_| any_shape();
    /// Prepares `a` with other numbers for NaN and both infinities (`aclnnNanToNum`).
    #[doc(alias("aclnnNanToNum", "aclnnNanToNumGetWorkspaceSize"))]
    NanToNum<T: Floating>,
        nan_to_num(a: in T, nan: attr f32, infinity: attr f32, minus_infinity: attr f32, out: out T)
        = aclnnNanToNum, aclnnNanToNumGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares other numbers for NaN and both infinities in place (`aclnnInplaceNanToNum`).
    #[doc(alias("aclnnInplaceNanToNum", "aclnnInplaceNanToNumGetWorkspaceSize"))]
    InplaceNanToNum<T: Floating>,
        inplace_nan_to_num(a: only_inout T, nan: attr f32, infinity: attr f32, minus_infinity: attr f32)
        = aclnnInplaceNanToNum, aclnnInplaceNanToNumGetWorkspaceSize, |_| any_shape();
    /// Prepares the angle in radians whose cosine this is (`aclnnAcos`).
    #[doc(alias("aclnnAcos", "aclnnAcosGetWorkspaceSize"))]
    Acos<T: Fractional>, acos(a: in T, out: out T)
        = aclnnAcos, aclnnAcosGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the angle in radians whose cosine this is, in place (`aclnnInplaceAcos`).
    #[doc(alias("aclnnInplaceAcos", "aclnnInplaceAcosGetWorkspaceSize"))]
    InplaceAcos<T: Fractional>, inplace_acos(a: only_inout T)
        = aclnnInplaceAcos, aclnnInplaceAcosGetWorkspaceSize, |_| any_shape();
    /// Prepares the positive number whose hyperbolic cosine this is (`aclnnAcosh`).
    #[doc(alias("aclnnAcosh", "aclnnAcoshGetWorkspaceSize"))]
    Acosh<T: Fractional>, acosh(a: in T, out: out T)
        = aclnnAcosh, aclnnAcoshGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the positive number whose hyperbolic cosine this is, in place (`aclnnInplaceAcosh`).
    #[doc(alias("aclnnInplaceAcosh", "aclnnInplaceAcoshGetWorkspaceSize"))]
    InplaceAcosh<T: Fractional>, inplace_acosh(a: only_inout T)
        = aclnnInplaceAcosh, aclnnInplaceAcoshGetWorkspaceSize, |_| any_shape();
    /// Prepares the angle in radians whose sine this is (`aclnnAsin`).
    #[doc(alias("aclnnAsin", "aclnnAsinGetWorkspaceSize"))]
    Asin<T: Fractional>, asin(a: in T, out: out T)
        = aclnnAsin, aclnnAsinGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the angle in radians whose sine this is, in place (`aclnnInplaceAsin`).
    #[doc(alias("aclnnInplaceAsin", "aclnnInplaceAsinGetWorkspaceSize"))]
    InplaceAsin<T: Fractional>, inplace_asin(a: only_inout T)
        = aclnnInplaceAsin, aclnnInplaceAsinGetWorkspaceSize, |_| any_shape();
    /// Prepares the number whose hyperbolic sine this is (`aclnnAsinh`).
    #[doc(alias("aclnnAsinh", "aclnnAsinhGetWorkspaceSize"))]
    Asinh<T: Fractional>, asinh(a: in T, out: out T)
        = aclnnAsinh, aclnnAsinhGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the number whose hyperbolic sine this is, in place (`aclnnInplaceAsinh`).
    #[doc(alias("aclnnInplaceAsinh", "aclnnInplaceAsinhGetWorkspaceSize"))]
    InplaceAsinh<T: Fractional>, inplace_asinh(a: only_inout T)
        = aclnnInplaceAsinh, aclnnInplaceAsinhGetWorkspaceSize, |_| any_shape();
    /// Prepares the angle in radians whose tangent this is (`aclnnAtan`).
    #[doc(alias("aclnnAtan", "aclnnAtanGetWorkspaceSize"))]
    Atan<T: Fractional>, atan(a: in T, out: out T)
        = aclnnAtan, aclnnAtanGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the angle in radians whose tangent this is, in place (`aclnnInplaceAtan`).
    #[doc(alias("aclnnInplaceAtan", "aclnnInplaceAtanGetWorkspaceSize"))]
    InplaceAtan<T: Fractional>, inplace_atan(a: only_inout T)
        = aclnnInplaceAtan, aclnnInplaceAtanGetWorkspaceSize, |_| any_shape();
    /// Prepares the number whose hyperbolic tangent this is (`aclnnAtanh`).
    #[doc(alias("aclnnAtanh", "aclnnAtanhGetWorkspaceSize"))]
    Atanh<T: Fractional>, atanh(a: in T, out: out T)
        = aclnnAtanh, aclnnAtanhGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the number whose hyperbolic tangent this is, in place (`aclnnInplaceAtanh`).
    #[doc(alias("aclnnInplaceAtanh", "aclnnInplaceAtanhGetWorkspaceSize"))]
    InplaceAtanh<T: Fractional>, inplace_atanh(a: only_inout T)
        = aclnnInplaceAtanh, aclnnInplaceAtanhGetWorkspaceSize, |_| any_shape();
    /// Prepares the hyperbolic cosine (`aclnnCosh`).
    #[doc(alias("aclnnCosh", "aclnnCoshGetWorkspaceSize"))]
    Cosh<T: Fractional>, cosh(a: in T, out: out T)
        = aclnnCosh, aclnnCoshGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the hyperbolic cosine, in place (`aclnnInplaceCosh`).
    #[doc(alias("aclnnInplaceCosh", "aclnnInplaceCoshGetWorkspaceSize"))]
    InplaceCosh<T: Fractional>, inplace_cosh(a: only_inout T)
        = aclnnInplaceCosh, aclnnInplaceCoshGetWorkspaceSize, |_| any_shape();
    /// Prepares the hyperbolic sine (`aclnnSinh`).
    #[doc(alias("aclnnSinh", "aclnnSinhGetWorkspaceSize"))]
    Sinh<T: Fractional>, sinh(a: in T, out: out T)
        = aclnnSinh, aclnnSinhGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the hyperbolic sine, in place (`aclnnInplaceSinh`).
    #[doc(alias("aclnnInplaceSinh", "aclnnInplaceSinhGetWorkspaceSize"))]
    InplaceSinh<T: Fractional>, inplace_sinh(a: only_inout T)
        = aclnnInplaceSinh, aclnnInplaceSinhGetWorkspaceSize, |_| any_shape();
    /// Prepares the tangent of an angle in radians (`aclnnTan`).
    #[doc(alias("aclnnTan", "aclnnTanGetWorkspaceSize"))]
    Tan<T: Fractional>, tan(a: in T, out: out T)
        = aclnnTan, aclnnTanGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the tangent of an angle in radians, in place (`aclnnInplaceTan`).
    #[doc(alias("aclnnInplaceTan", "aclnnInplaceTanGetWorkspaceSize"))]
    InplaceTan<T: Fractional>, inplace_tan(a: only_inout T)
        = aclnnInplaceTan, aclnnInplaceTanGetWorkspaceSize, |_| any_shape();
    /// Prepares 1 minus the error function (`aclnnErfc`).
    #[doc(alias("aclnnErfc", "aclnnErfcGetWorkspaceSize"))]
    Erfc<T: Fractional>, erfc(a: in T, out: out T)
        = aclnnErfc, aclnnErfcGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares 1 minus the error function, in place (`aclnnInplaceErfc`).
    #[doc(alias("aclnnInplaceErfc", "aclnnInplaceErfcGetWorkspaceSize"))]
    InplaceErfc<T: Fractional>, inplace_erfc(a: only_inout T)
        = aclnnInplaceErfc, aclnnInplaceErfcGetWorkspaceSize, |_| any_shape();
    /// Prepares the number whose error function this is (`aclnnErfinv`).
    #[doc(alias("aclnnErfinv", "aclnnErfinvGetWorkspaceSize"))]
    Erfinv<T: Fractional>, erfinv(a: in T, out: out T)
        = aclnnErfinv, aclnnErfinvGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the number whose error function this is, in place (`aclnnInplaceErfinv`).
    #[doc(alias("aclnnInplaceErfinv", "aclnnInplaceErfinvGetWorkspaceSize"))]
    InplaceErfinv<T: Fractional>, inplace_erfinv(a: only_inout T)
        = aclnnInplaceErfinv, aclnnInplaceErfinvGetWorkspaceSize, |_| any_shape();
    /// Prepares the logarithm to the base 10 (`aclnnLog10`).
    #[doc(alias("aclnnLog10", "aclnnLog10GetWorkspaceSize"))]
    Log10<T: Fractional>, log10(a: in T, out: out T)
        = aclnnLog10, aclnnLog10GetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the logarithm to the base 10, in place (`aclnnInplaceLog10`).
    #[doc(alias("aclnnInplaceLog10", "aclnnInplaceLog10GetWorkspaceSize"))]
    InplaceLog10<T: Fractional>, inplace_log10(a: only_inout T)
        = aclnnInplaceLog10, aclnnInplaceLog10GetWorkspaceSize, |_| any_shape();
    /// Prepares the derivative of the logarithm of the gamma function (`aclnnDigamma`).
    #[doc(alias("aclnnDigamma", "aclnnDigammaGetWorkspaceSize"))]
    Digamma<T: Fractional>, digamma(a: in T, out: out T)
        = aclnnDigamma, aclnnDigammaGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the logarithm of the absolute value of the gamma function (`aclnnLgamma`).
    #[doc(alias("aclnnLgamma", "aclnnLgammaGetWorkspaceSize"))]
    Lgamma<T: Fractional>, lgamma(a: in T, out: out T)
        = aclnnLgamma, aclnnLgammaGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `sin(pi * a) / (pi * a)`, and 1 for 0 (`aclnnSinc`).
    #[doc(alias("aclnnSinc", "aclnnSincGetWorkspaceSize"))]
    Sinc<T: Fractional>, sinc(a: in T, out: out T)
        = aclnnSinc, aclnnSincGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `sin(pi * a) / (pi * a)`, and 1 for 0, in place (`aclnnInplaceSinc`).
    #[doc(alias("aclnnInplaceSinc", "aclnnInplaceSincGetWorkspaceSize"))]
    InplaceSinc<T: Fractional>, inplace_sinc(a: only_inout T)
        = aclnnInplaceSinc, aclnnInplaceSincGetWorkspaceSize, |_| any_shape();
    /// Prepares the number without its whole part, with its sign (`aclnnFrac`).
    #[doc(alias("aclnnFrac", "aclnnFracGetWorkspaceSize"))]
    Frac<T: Fractional>, frac(a: in T, out: out T)
        = aclnnFrac, aclnnFracGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the number without its whole part, with its sign, in place (`aclnnInplaceFrac`).
    #[doc(alias("aclnnInplaceFrac", "aclnnInplaceFracGetWorkspaceSize"))]
    InplaceFrac<T: Fractional>, inplace_frac(a: only_inout T)
        = aclnnInplaceFrac, aclnnInplaceFracGetWorkspaceSize, |_| any_shape();
    /// Prepares the product of a number and itself (`aclnnSquare`).
    #[doc(alias("aclnnSquare", "aclnnSquareGetWorkspaceSize"))]
    Square<T: Numeric>, square(a: in T, out: out T)
        = aclnnSquare, aclnnSquareGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the nearest number with so many digits behind the point, of two the even one (`aclnnRoundDecimals`).
    #[doc(alias("aclnnRoundDecimals", "aclnnRoundDecimalsGetWorkspaceSize"))]
    RoundDecimals<T: Fractional>, round_decimals(a: in T, decimals: attr i64, out: out T)
        = aclnnRoundDecimals, aclnnRoundDecimalsGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the nearest number with so many digits behind the point, of two the even one, in place
    /// (`aclnnInplaceRoundDecimals`).
    #[doc(alias("aclnnInplaceRoundDecimals", "aclnnInplaceRoundDecimalsGetWorkspaceSize"))]
    InplaceRoundDecimals<T: Fractional>, inplace_round_decimals(a: only_inout T, decimals: attr i64)
        = aclnnInplaceRoundDecimals, aclnnInplaceRoundDecimalsGetWorkspaceSize, |_| any_shape();
}
