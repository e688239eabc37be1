//! Operators that are a formula of each element.

/// Adds operators to those of [`operators!`](crate::operators), and hands them on.
#[doc(hidden)]
#[macro_export]
macro_rules! operators_of_formulas {
    ($callback:path [$($context:tt)*] { $($before:tt)* }) => {
        $callback! {
            $($context)*
            $($before)*
            /// The angle in radians whose cosine this is.
            operator aclnnAcos, aclnnAcosGetWorkspaceSize(input: tensor, out: out_tensor) in "aclnn_acos.h";
            /// In place: the angle in radians whose cosine this is.
            operator aclnnInplaceAcos, aclnnInplaceAcosGetWorkspaceSize(inputRef: inout_tensor) in "aclnn_acos.h";
            /// The positive number whose hyperbolic cosine this is.
            operator aclnnAcosh, aclnnAcoshGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_acosh.h";
            /// In place: the positive number whose hyperbolic cosine this is.
            operator aclnnInplaceAcosh, aclnnInplaceAcoshGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_acosh.h";
            /// The angle in radians whose sine this is.
            operator aclnnAsin, aclnnAsinGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_asin.h";
            /// In place: the angle in radians whose sine this is.
            operator aclnnInplaceAsin, aclnnInplaceAsinGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_asin.h";
            /// The number whose hyperbolic sine this is.
            operator aclnnAsinh, aclnnAsinhGetWorkspaceSize(input: tensor, out: out_tensor) in "aclnn_asinh.h";
            /// In place: the number whose hyperbolic sine this is.
            operator aclnnInplaceAsinh, aclnnInplaceAsinhGetWorkspaceSize(inputRef: inout_tensor) in "aclnn_asinh.h";
            /// The angle in radians whose tangent this is.
            operator aclnnAtan, aclnnAtanGetWorkspaceSize(input: tensor, out: out_tensor) in "aclnn_atan.h";
            /// In place: the angle in radians whose tangent this is.
            operator aclnnInplaceAtan, aclnnInplaceAtanGetWorkspaceSize(inputRef: inout_tensor) in "aclnn_atan.h";
            /// The number whose hyperbolic tangent this is.
            operator aclnnAtanh, aclnnAtanhGetWorkspaceSize(input: tensor, out: out_tensor) in "aclnn_atanh.h";
            /// In place: the number whose hyperbolic tangent this is.
            operator aclnnInplaceAtanh, aclnnInplaceAtanhGetWorkspaceSize(inputRef: inout_tensor) in "aclnn_atanh.h";
            /// The hyperbolic cosine.
            operator aclnnCosh, aclnnCoshGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_cosh.h";
            /// In place: the hyperbolic cosine.
            operator aclnnInplaceCosh, aclnnInplaceCoshGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_cosh.h";
            /// The hyperbolic sine.
            operator aclnnSinh, aclnnSinhGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_sinh.h";
            /// In place: the hyperbolic sine.
            operator aclnnInplaceSinh, aclnnInplaceSinhGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_sinh.h";
            /// The tangent of an angle in radians.
            operator aclnnTan, aclnnTanGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_tan.h";
            /// In place: the tangent of an angle in radians.
            operator aclnnInplaceTan, aclnnInplaceTanGetWorkspaceSize(selfRef: const_inout_tensor) in "aclnn_tan.h";
            /// 1 minus the error function.
            operator aclnnErfc, aclnnErfcGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_erfc.h";
            /// In place: 1 minus the error function.
            operator aclnnInplaceErfc, aclnnInplaceErfcGetWorkspaceSize(selfRef: const_inout_tensor) in "aclnn_erfc.h";
            /// The number whose error function this is.
            operator aclnnErfinv, aclnnErfinvGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_erfinv.h";
            /// In place: the number whose error function this is.
            operator aclnnInplaceErfinv, aclnnInplaceErfinvGetWorkspaceSize(selfRef: const_inout_tensor) in "aclnn_erfinv.h";
            /// The logarithm to the base 10.
            operator aclnnLog10, aclnnLog10GetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_log10.h";
            /// In place: the logarithm to the base 10.
            operator aclnnInplaceLog10, aclnnInplaceLog10GetWorkspaceSize(selfRef: inout_tensor) in "aclnn_log10.h";
            /// The derivative of the logarithm of the gamma function.
            operator aclnnDigamma, aclnnDigammaGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_digamma.h";
            /// The logarithm of the absolute value of the gamma function.
            operator aclnnLgamma, aclnnLgammaGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_lgamma.h";
            /// `sin(pi * a) / (pi * a)`, and 1 for 0.
            operator aclnnSinc, aclnnSincGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_sinc.h";
            /// In place: `sin(pi * a) / (pi * a)`, and 1 for 0.
            operator aclnnInplaceSinc, aclnnInplaceSincGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_sinc.h";
            /// The number without its whole part, with its sign.
            operator aclnnFrac, aclnnFracGetWorkspaceSize(input: tensor, out: out_tensor) in "aclnn_frac.h";
            /// In place: the number without its whole part, with its sign.
            operator aclnnInplaceFrac, aclnnInplaceFracGetWorkspaceSize(inputRef: inout_tensor) in "aclnn_frac.h";
            /// The product of a number and itself.
            #[newer]
            operator aclnnSquare, aclnnSquareGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_square.h";
            /// The nearest number with so many digits behind the point, of two the even one.
            operator aclnnRoundDecimals, aclnnRoundDecimalsGetWorkspaceSize(self_: tensor, decimals: i64, out: out_tensor) in "aclnn_round.h";
            /// In place: the nearest number with so many digits behind the point, of two the even one.
            operator aclnnInplaceRoundDecimals, aclnnInplaceRoundDecimalsGetWorkspaceSize(selfRef: inout_tensor, decimals: i64) in "aclnn_round.h";
            /// Whether a number has a minus sign.
            operator aclnnSignbit, aclnnSignbitGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_signbit.h";
            /// Whether a number is minus infinity.
            operator aclnnIsNegInf, aclnnIsNegInfGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_isneginf.h";
            /// Whether a number is plus infinity.
            operator aclnnIsPosInf, aclnnIsPosInfGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_isposinf.h";
            /// The logarithm of the sigmoid.
            operator aclnnLogSigmoid, aclnnLogSigmoidGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_logsigmoid.h";
            /// A number times the sigmoid of 1.702 times the number.
            operator aclnnFastGelu, aclnnFastGeluGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_fast_gelu.h";
            /// The scaled exponential linear unit.
            operator aclnnSelu, aclnnSeluGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_selu.h";
            /// In place: the scaled exponential linear unit.
            operator aclnnInplaceSelu, aclnnInplaceSeluGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_selu.h";
            /// A number, and `alpha * (e ^ (a / alpha) - 1)` where it is negative.
            operator aclnnCelu, aclnnCeluGetWorkspaceSize(self_: tensor, alpha: scalar, out: out_tensor) in "aclnn_celu.h";
            /// In place: a number, and `alpha * (e ^ (a / alpha) - 1)` where it is negative.
            operator aclnnInplaceCelu, aclnnInplaceCeluGetWorkspaceSize(selfRef: inout_tensor, alpha: scalar) in "aclnn_celu.h";
            /// A number times the sigmoid of `beta` times the number; without `beta` it is 1.
            #[newer]
            operator aclnnSwish, aclnnSwishGetWorkspaceSize(self_: tensor, betaOptional: optional_scalar, out: out_tensor) in "aclnn_swish.h";
            /// A number, and 0 where it is at most `lambd` away from it.
            operator aclnnHardshrink, aclnnHardshrinkGetWorkspaceSize(self_: tensor, lambd: scalar, out: out_tensor) in "aclnn_hardshrink.h";
            /// A number nearer to 0 by `lambd`, and 0 where it is less away.
            operator aclnnSoftshrink, aclnnSoftshrinkGetWorkspaceSize(self_: tensor, lambd: scalar, out: out_tensor) in "aclnn_softshrink.h";
            /// A number nearer to 0 by `bias`, and 0 where it is at most `lambd` away from it.
            #[newer]
            operator aclnnShrink, aclnnShrinkGetWorkspaceSize(self_: tensor, lambd: scalar, bias: scalar, out: out_tensor) in "aclnn_shrink.h";
            /// A number limited to the range from `least` to `most`.
            operator aclnnHardtanh, aclnnHardtanhGetWorkspaceSize(self_: tensor, clipValueMin: scalar, clipValueMax: scalar, out: out_tensor) in "aclnn_hardtanh.h";
            /// In place: a number limited to the range from `least` to `most`.
            operator aclnnInplaceHardtanh, aclnnInplaceHardtanhGetWorkspaceSize(selfRef: inout_tensor, clipValueMin: scalar, clipValueMax: scalar) in "aclnn_hardtanh.h";
            /// The angle in radians of the point with the ordinate `a` and the abscissa `b`.
            operator aclnnAtan2, aclnnAtan2GetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_atan2.h";
            /// The logarithm of the sum of two exponentials.
            operator aclnnLogAddExp, aclnnLogAddExpGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_logaddexp.h";
            /// The logarithm to the base 2 of the sum of two powers of 2.
            operator aclnnLogAddExp2, aclnnLogAddExp2GetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_logaddexp2.h";
            /// `a * ln(b)`, and 0 where `a` is 0.
            operator aclnnXLogYTensor, aclnnXLogYTensorGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_x_log_y_tensor.h";
            /// In place: `a * ln(b)`, and 0 where `a` is 0.
            operator aclnnInplaceXLogYTensor, aclnnInplaceXLogYTensorGetWorkspaceSize(selfRef: inout_tensor, other: tensor) in "aclnn_x_log_y_tensor.h";
            /// `a * ln(b)` with a number of the host, and 0 where `a` is 0.
            operator aclnnXLogYScalarOther, aclnnXLogYScalarOtherGetWorkspaceSize(self_: tensor, other: scalar, out: out_tensor) in "aclnn_x_log_y_scalar_other.h";
            /// In place: `a * ln(b)` with a number of the host, and 0 where `a` is 0.
            operator aclnnInplaceXLogYScalarOther, aclnnInplaceXLogYScalarOtherGetWorkspaceSize(selfRef: inout_tensor, other: scalar) in "aclnn_x_log_y_scalar_other.h";
            /// `a * ln(b)` where `a` is a number of the host, and 0 where it is 0.
            operator aclnnXLogYScalarSelf, aclnnXLogYScalarSelfGetWorkspaceSize(self_: scalar, other: tensor, out: out_tensor) in "aclnn_x_log_y_scalar_self.h";
            /// The number between `a` and `b` at the share `weight` of the way.
            operator aclnnLerp, aclnnLerpGetWorkspaceSize(self_: tensor, end: tensor, weight: tensor, out: out_tensor) in "aclnn_lerp_tensor.h";
            /// In place: the number between `a` and `b` at the share `weight` of the way.
            operator aclnnInplaceLerp, aclnnInplaceLerpGetWorkspaceSize(selfRef: inout_tensor, end: tensor, weight: tensor) in "aclnn_lerp_tensor.h";
            /// The number between `a` and `b` at the share `weight` of the way, a number of the host.
            operator aclnnLerps, aclnnLerpsGetWorkspaceSize(self_: tensor, end: tensor, weight: scalar, out: out_tensor) in "aclnn_lerp_scalar.h";
            /// In place: the number between `a` and `b` at the share `weight` of the way, a number of the host.
            operator aclnnInplaceLerps, aclnnInplaceLerpsGetWorkspaceSize(selfRef: inout_tensor, end: tensor, weight: scalar) in "aclnn_lerp_scalar.h";
            /// `b - alpha * a` with broadcasting.
            operator aclnnRsub, aclnnRsubGetWorkspaceSize(self_: tensor, other: tensor, alpha: scalar, out: out_tensor) in "aclnn_rsub.h";
            /// `b - alpha * a`, where `b` is a number of the host.
            operator aclnnRsubs, aclnnRsubsGetWorkspaceSize(self_: tensor, other: scalar, alpha: scalar, out: out_tensor) in "aclnn_rsub.h";
            /// The remainder of `a / b` rounded down, where `b` is a number of the host: it has the sign of `b`.
            operator aclnnRemainderTensorScalar, aclnnRemainderTensorScalarGetWorkspaceSize(self_: tensor, other: scalar, out: out_tensor) in "aclnn_remainder.h";
            /// In place: the remainder of `a / b` rounded down, where `b` is a number of the host: it has the sign of `b`.
            operator aclnnInplaceRemainderTensorScalar, aclnnInplaceRemainderTensorScalarGetWorkspaceSize(selfRef: inout_tensor, other: scalar) in "aclnn_remainder.h";
            /// The remainder of `a / b` rounded down, where `a` is a number of the host: it has the sign of `b`.
            operator aclnnRemainderScalarTensor, aclnnRemainderScalarTensorGetWorkspaceSize(self_: scalar, other: tensor, out: out_tensor) in "aclnn_remainder.h";
            /// The remainder of `a / b` with its fraction cut off, where `b` is a number of the host: it has the sign of `a`.
            operator aclnnFmodScalar, aclnnFmodScalarGetWorkspaceSize(self_: tensor, other: scalar, out: out_tensor) in "aclnn_fmod_scalar.h";
            /// In place: the remainder of `a / b` with its fraction cut off, where `b` is a number of the host: it has the sign of `a`.
            operator aclnnInplaceFmodScalar, aclnnInplaceFmodScalarGetWorkspaceSize(selfRef: inout_tensor, other: scalar) in "aclnn_fmod_scalar.h";
            /// `a / b`, rounded down, where `b` is a number of the host.
            operator aclnnFloorDivides, aclnnFloorDividesGetWorkspaceSize(self_: tensor, other: scalar, out: out_tensor) in "aclnn_floor_divide.h";
            /// In place: `a / b`, rounded down, where `b` is a number of the host.
            operator aclnnInplaceFloorDivides, aclnnInplaceFloorDividesGetWorkspaceSize(selfRef: inout_tensor, other: scalar) in "aclnn_floor_divide.h";
            /// `a + alpha * b`, where `a` is a number of the host.
            #[newer]
            operator aclnnAddV3, aclnnAddV3GetWorkspaceSize(self_: scalar, other: tensor, alpha: scalar, out: out_tensor) in "aclnn_add_v3.h";
            /// A number times its mask times `scale`.
            #[newer]
            operator aclnnMaskedScale, aclnnMaskedScaleGetWorkspaceSize(self_: tensor, mask: tensor, scale: f32, out: out_tensor) in "aclnn_masked_scale.h";
            /// 0 for a negative number, 1 for a positive one, and `values` for 0.
            operator aclnnHeaviside, aclnnHeavisideGetWorkspaceSize(input: tensor, values: tensor, out: out_tensor) in "aclnn_heaviside.h";
            /// The number limited to the range from `b` to `c`.
            operator aclnnClampTensor, aclnnClampTensorGetWorkspaceSize(self_: tensor, clipValueMin: tensor, clipValueMax: tensor, out: out_tensor) in "aclnn_clamp.h";
            /// The number, or the larger limit.
            operator aclnnClampMinTensor, aclnnClampMinTensorGetWorkspaceSize(self_: tensor, clipValueMin: tensor, out: out_tensor) in "aclnn_clamp.h";
            /// In place: the number, or the larger limit.
            operator aclnnInplaceClampMinTensor, aclnnInplaceClampMinTensorGetWorkspaceSize(selfRef: inout_tensor, clipValueMin: tensor) in "aclnn_clamp.h";
            /// The number, or the smaller limit.
            operator aclnnClampMaxTensor, aclnnClampMaxTensorGetWorkspaceSize(self_: tensor, max: tensor, out: out_tensor) in "aclnn_clamp.h";
            /// In place: the number, or the smaller limit.
            operator aclnnInplaceClampMaxTensor, aclnnInplaceClampMaxTensorGetWorkspaceSize(selfRef: inout_tensor, max: tensor) in "aclnn_clamp.h";
            /// The bits that exactly one of two whole numbers has.
            operator aclnnBitwiseXorTensor, aclnnBitwiseXorTensorGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_bitwise_xor_tensor.h";
            /// In place: the bits that exactly one of two whole numbers has.
            operator aclnnInplaceBitwiseXorTensor, aclnnInplaceBitwiseXorTensorGetWorkspaceSize(selfRef: inout_tensor, other: tensor) in "aclnn_bitwise_xor_tensor.h";
            /// The bits that exactly one of two whole numbers has, one of them of the host.
            operator aclnnBitwiseXorScalar, aclnnBitwiseXorScalarGetWorkspaceSize(self_: tensor, other: scalar, out: out_tensor) in "aclnn_bitwise_xor_scalar.h";
            /// In place: the bits that exactly one of two whole numbers has, one of them of the host.
            operator aclnnInplaceBitwiseXorScalar, aclnnInplaceBitwiseXorScalarGetWorkspaceSize(selfRef: inout_tensor, other: scalar) in "aclnn_bitwise_xor_scalar.h";
            /// The bits that both of two whole numbers have, one of them of the host.
            operator aclnnBitwiseAndScalar, aclnnBitwiseAndScalarGetWorkspaceSize(self_: tensor, other: scalar, out: out_tensor) in "aclnn_bitwise_and_scalar.h";
            /// In place: the bits that both of two whole numbers have, one of them of the host.
            operator aclnnInplaceBitwiseAndScalar, aclnnInplaceBitwiseAndScalarGetWorkspaceSize(selfRef: const_inout_tensor, other: scalar) in "aclnn_bitwise_and_scalar.h";
            /// The bits that one of two whole numbers has, one of them of the host.
            operator aclnnBitwiseOrScalar, aclnnBitwiseOrScalarGetWorkspaceSize(self_: tensor, other: scalar, out: out_tensor) in "aclnn_bitwise_or_scalar.h";
            /// In place: the bits that one of two whole numbers has, one of them of the host.
            operator aclnnInplaceBitwiseOrScalar, aclnnInplaceBitwiseOrScalarGetWorkspaceSize(selfRef: inout_tensor, other: scalar) in "aclnn_bitwise_or_scalar.h";
            /// The bits that both of two whole numbers have.
            #[newer]
            operator aclnnBitwiseAndTensorOut, aclnnBitwiseAndTensorOutGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_bitwise_and_tensor.h";
            /// In place: the bits that both of two whole numbers have.
            #[newer]
            operator aclnnInplaceBitwiseAndTensorOut, aclnnInplaceBitwiseAndTensorOutGetWorkspaceSize(self_: const_inout_tensor, other: tensor) in "aclnn_bitwise_and_tensor.h";
            /// The greatest common divisor of two whole numbers.
            operator aclnnGcd, aclnnGcdGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_gcd.h";
            /// Whether exactly one of two numbers is not 0.
            operator aclnnLogicalXor, aclnnLogicalXorGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_logical_xor.h";
            /// Whether two numbers differ by at most `atol + rtol * abs(b)`.
            operator aclnnIsClose, aclnnIsCloseGetWorkspaceSize(self_: tensor, other: tensor, rtol: f64, atol: f64, equal_nan: bool, out: out_tensor) in "aclnn_isclose.h";
        }
    };
}
