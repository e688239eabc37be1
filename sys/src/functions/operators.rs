//! The list of operators (`aclnnop/aclnn_*.h`). Each file adds its part, and the last one hands all of them over.

#[cfg(feature = "operators")]
mod formulas;
#[cfg(feature = "more-operators")]
mod more;
#[cfg(feature = "training")]
mod training;

/// Calls `$callback!` with the list of operators, behind the tokens of `$context` if there are any.
///
/// Those of [`operators_for_more!`](crate::operators_for_more) and of
/// [`operators_for_training!`](crate::operators_for_training) stand behind the others, if the features declare them.
#[cfg(all(feature = "more-operators", feature = "training"))]
#[doc(hidden)]
#[macro_export]
macro_rules! operators {
    ($callback:path $(, $($context:tt)*)?) => {
        $crate::operators_for_inference! { $crate::operators_for_more, $crate::operators_for_training [$callback [$($($context)*)?]] }
    };
}

#[cfg(all(feature = "more-operators", not(feature = "training")))]
#[doc(hidden)]
#[macro_export]
macro_rules! operators {
    ($callback:path $(, $($context:tt)*)?) => {
        $crate::operators_for_inference! { $crate::operators_for_more, $callback [$($($context)*)?] }
    };
}

#[cfg(all(not(feature = "more-operators"), feature = "training"))]
#[doc(hidden)]
#[macro_export]
macro_rules! operators {
    ($callback:path $(, $($context:tt)*)?) => {
        $crate::operators_for_inference! { $crate::operators_for_training, $callback [$($($context)*)?] }
    };
}

#[cfg(not(any(feature = "more-operators", feature = "training")))]
#[doc(hidden)]
#[macro_export]
macro_rules! operators {
    ($callback:path $(, $($context:tt)*)?) => {
        $crate::operators_for_inference! { $callback $(, $($context)*)? }
    };
}

/// Calls `$callback!` with the operators that no other feature switches, behind the tokens of `$context`.
///
/// An entry names the second phase, the first phase, and the parameters that the first phase has in front of
/// `workspaceSize` and `executor`, each with its kind (a type of [`parameter`](crate::parameter)). The file below
/// `aclnnop/` that declares both functions stands behind `in`.
#[cfg(feature = "operators")]
#[doc(hidden)]
#[macro_export]
macro_rules! operators_for_inference {
    ($callback:path $(, $($context:tt)*)?) => {
        $crate::operators_of_formulas! { $callback [$($($context)*)?] {
            /// `out = self + alpha * other` with broadcasting.
            operator aclnnAdd, aclnnAddGetWorkspaceSize(self_: tensor, other: tensor, alpha: scalar, out: out_tensor) in "aclnn_add.h";
            /// In place: `selfRef = selfRef + alpha * other` with broadcasting.
            operator aclnnInplaceAdd, aclnnInplaceAddGetWorkspaceSize(selfRef: const_inout_tensor, other: tensor, alpha: scalar) in "aclnn_add.h";
            /// `out = self + alpha * other`; `other` is a scalar.
            operator aclnnAdds, aclnnAddsGetWorkspaceSize(self_: tensor, other: scalar, alpha: scalar, out: out_tensor) in "aclnn_add.h";
            /// In place: `selfRef = selfRef + alpha * other`; `other` is a scalar.
            operator aclnnInplaceAdds, aclnnInplaceAddsGetWorkspaceSize(selfRef: const_inout_tensor, other: scalar, alpha: scalar) in "aclnn_add.h";
            /// `out = self - alpha * other` with broadcasting.
            operator aclnnSub, aclnnSubGetWorkspaceSize(self_: tensor, other: tensor, alpha: scalar, out: out_tensor) in "aclnn_sub.h";
            /// In place: `selfRef = selfRef - alpha * other` with broadcasting.
            operator aclnnInplaceSub, aclnnInplaceSubGetWorkspaceSize(selfRef: inout_tensor, other: tensor, alpha: scalar) in "aclnn_sub.h";
            /// `out = self - alpha * other`; `other` is a scalar.
            operator aclnnSubs, aclnnSubsGetWorkspaceSize(self_: tensor, other: scalar, alpha: scalar, out: out_tensor) in "aclnn_sub.h";
            /// In place: `selfRef = selfRef - alpha * other`; `other` is a scalar.
            operator aclnnInplaceSubs, aclnnInplaceSubsGetWorkspaceSize(selfRef: inout_tensor, other: scalar, alpha: scalar) in "aclnn_sub.h";
            /// `out = self * other` with broadcasting.
            operator aclnnMul, aclnnMulGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_mul.h";
            /// In place: `selfRef = selfRef * other` with broadcasting.
            operator aclnnInplaceMul, aclnnInplaceMulGetWorkspaceSize(selfRef: inout_tensor, other: tensor) in "aclnn_mul.h";
            /// `out = self * other`; `other` is a scalar.
            operator aclnnMuls, aclnnMulsGetWorkspaceSize(self_: tensor, other: scalar, out: out_tensor) in "aclnn_mul.h";
            /// In place: `selfRef = selfRef * other`; `other` is a scalar.
            operator aclnnInplaceMuls, aclnnInplaceMulsGetWorkspaceSize(selfRef: inout_tensor, other: scalar) in "aclnn_mul.h";
            /// `out = self / other` with broadcasting; integers are divided as real numbers.
            operator aclnnDiv, aclnnDivGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_div.h";
            /// In place: `selfRef = selfRef / other` with broadcasting; integers are divided as real numbers.
            operator aclnnInplaceDiv, aclnnInplaceDivGetWorkspaceSize(selfRef: inout_tensor, other: tensor) in "aclnn_div.h";
            /// `out = self / other`; `other` is a scalar, and integers are divided as real numbers.
            operator aclnnDivs, aclnnDivsGetWorkspaceSize(self_: tensor, other: scalar, out: out_tensor) in "aclnn_div.h";
            /// In place: `selfRef = selfRef / other`; `other` is a scalar, and integers are divided as real numbers.
            operator aclnnInplaceDivs, aclnnInplaceDivsGetWorkspaceSize(selfRef: inout_tensor, other: scalar) in "aclnn_div.h";
            /// `out = self / other` with broadcasting; `mode` 1 cuts the fraction off, and 2 rounds down.
            operator aclnnDivMod, aclnnDivModGetWorkspaceSize(self_: tensor, other: tensor, mode: c_int, out: out_tensor) in "aclnn_div.h";
            /// In place: `selfRef = selfRef / other` with broadcasting; `mode` 1 cuts the fraction off, and 2 rounds down.
            operator aclnnInplaceDivMod, aclnnInplaceDivModGetWorkspaceSize(selfRef: inout_tensor, other: tensor, mode: c_int) in "aclnn_div.h";
            /// `out = self / other`; `other` is a scalar. `mode` 1 cuts the fraction off, and 2 rounds down.
            operator aclnnDivMods, aclnnDivModsGetWorkspaceSize(self_: tensor, other: scalar, mode: c_int, out: out_tensor) in "aclnn_div.h";
            /// In place: `selfRef = selfRef / other`; `other` is a scalar. `mode` 1 cuts the fraction off, and 2 rounds down.
            operator aclnnInplaceDivMods, aclnnInplaceDivModsGetWorkspaceSize(selfRef: inout_tensor, other: scalar, mode: c_int) in "aclnn_div.h";
            /// `out = self / other`, rounded down, with broadcasting.
            operator aclnnFloorDivide, aclnnFloorDivideGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_floor_divide.h";
            /// In place: `selfRef = selfRef / other`, rounded down, with broadcasting.
            operator aclnnInplaceFloorDivide, aclnnInplaceFloorDivideGetWorkspaceSize(selfRef: inout_tensor, other: tensor) in "aclnn_floor_divide.h";
            /// The remainder of `self / other` rounded down: it has the sign of `other`.
            operator aclnnRemainderTensorTensor, aclnnRemainderTensorTensorGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_remainder.h";
            /// In place: the remainder of `selfRef / other` rounded down: it has the sign of `other`.
            operator aclnnInplaceRemainderTensorTensor, aclnnInplaceRemainderTensorTensorGetWorkspaceSize(selfRef: inout_tensor, other: tensor) in "aclnn_remainder.h";
            /// The remainder of `self / other` with its fraction cut off: it has the sign of `self`.
            operator aclnnFmodTensor, aclnnFmodTensorGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_fmod_tensor.h";
            /// In place: the remainder of `selfRef / other` with its fraction cut off: it has the sign of `selfRef`.
            operator aclnnInplaceFmodTensor, aclnnInplaceFmodTensorGetWorkspaceSize(selfRef: inout_tensor, other: tensor) in "aclnn_fmod_tensor.h";
            /// `self` to the power of `exponent` with broadcasting.
            operator aclnnPowTensorTensor, aclnnPowTensorTensorGetWorkspaceSize(self_: tensor, exponent: tensor, out: out_tensor) in "aclnn_pow_tensor_tensor.h";
            /// In place: `selfRef` to the power of `exponent` with broadcasting.
            operator aclnnInplacePowTensorTensor, aclnnInplacePowTensorTensorGetWorkspaceSize(self_: const_inout_tensor, exponent: tensor) in "aclnn_pow_tensor_tensor.h";
            /// `self` to the power of the scalar `exponent`.
            operator aclnnPowTensorScalar, aclnnPowTensorScalarGetWorkspaceSize(self_: tensor, exponent: scalar, out: const_out_tensor) in "aclnn_pow.h";
            /// In place: `selfRef` to the power of the scalar `exponent`.
            operator aclnnInplacePowTensorScalar, aclnnInplacePowTensorScalarGetWorkspaceSize(self_: const_inout_tensor, exponent: scalar) in "aclnn_pow.h";
            /// The scalar `self` to the power of `exponent`.
            operator aclnnPowScalarTensor, aclnnPowScalarTensorGetWorkspaceSize(self_: scalar, exponent: tensor, out: const_out_tensor) in "aclnn_pow.h";
            /// `out = self + value * tensor1 * tensor2` with broadcasting.
            operator aclnnAddcmul, aclnnAddcmulGetWorkspaceSize(self_: tensor, tensor1: tensor, tensor2: tensor, value: scalar, out: out_tensor) in "aclnn_addcmul.h";
            /// In place: `selfRef = selfRef + value * tensor1 * tensor2` with broadcasting.
            operator aclnnInplaceAddcmul, aclnnInplaceAddcmulGetWorkspaceSize(selfRef: const_inout_tensor, tensor1: tensor, tensor2: tensor, value: scalar) in "aclnn_addcmul.h";
            /// `out = self + value * tensor1 / tensor2` with broadcasting.
            operator aclnnAddcdiv, aclnnAddcdivGetWorkspaceSize(self_: tensor, tensor1: tensor, tensor2: tensor, value: scalar, out: const_out_tensor) in "aclnn_addcdiv.h";
            /// In place: `selfRef = selfRef + value * tensor1 / tensor2` with broadcasting.
            operator aclnnInplaceAddcdiv, aclnnInplaceAddcdivGetWorkspaceSize(selfRef: const_inout_tensor, tensor1: tensor, tensor2: tensor, value: scalar) in "aclnn_addcdiv.h";
            /// The larger of two elements with broadcasting.
            operator aclnnMaximum, aclnnMaximumGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_maximum.h";
            /// The smaller of two elements with broadcasting.
            operator aclnnMinimum, aclnnMinimumGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_minimum.h";
            /// Limits the elements to the range from `clipValueMin` to `clipValueMax`; one of them may be null.
            operator aclnnClamp, aclnnClampGetWorkspaceSize(self_: tensor, clipValueMin: optional_scalar, clipValueMax: optional_scalar, out: out_tensor) in "aclnn_clamp.h";
            /// Limits the elements to numbers from `clipValueMin` on.
            operator aclnnClampMin, aclnnClampMinGetWorkspaceSize(self_: tensor, clipValueMin: scalar, out: out_tensor) in "aclnn_clamp.h";
            /// Limits the elements to numbers up to `clipValueMax`.
            operator aclnnClampMax, aclnnClampMaxGetWorkspaceSize(self_: tensor, clipValueMax: scalar, out: out_tensor) in "aclnn_clamp.h";
            /// In place: limits the elements to numbers up to `clipValueMax`.
            operator aclnnInplaceClampMax, aclnnInplaceClampMaxGetWorkspaceSize(selfRef: const_inout_tensor, clipValueMax: scalar) in "aclnn_clamp.h";
            /// Whether `self` equals `other`, with broadcasting.
            operator aclnnEqTensor, aclnnEqTensorGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_eq_tensor.h";
            /// In place: whether `selfRef` equals `other`, with broadcasting.
            operator aclnnInplaceEqTensor, aclnnInplaceEqTensorGetWorkspaceSize(selfRef: const_inout_tensor, other: tensor) in "aclnn_eq_tensor.h";
            /// Whether `self` equals the scalar `other`.
            operator aclnnEqScalar, aclnnEqScalarGetWorkspaceSize(self_: tensor, other: scalar, out: out_tensor) in "aclnn_eq_scalar.h";
            /// In place: whether `selfRef` equals the scalar `other`.
            operator aclnnInplaceEqScalar, aclnnInplaceEqScalarGetWorkspaceSize(selfRef: const_inout_tensor, other: scalar) in "aclnn_eq_scalar.h";
            /// Whether `self` differs from `other`, with broadcasting.
            operator aclnnNeTensor, aclnnNeTensorGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_ne_tensor.h";
            /// In place: whether `selfRef` differs from `other`, with broadcasting.
            operator aclnnInplaceNeTensor, aclnnInplaceNeTensorGetWorkspaceSize(selfRef: inout_tensor, other: tensor) in "aclnn_ne_tensor.h";
            /// Whether `self` differs from the scalar `other`.
            operator aclnnNeScalar, aclnnNeScalarGetWorkspaceSize(self_: tensor, other: scalar, out: out_tensor) in "aclnn_ne_scalar.h";
            /// In place: whether `selfRef` differs from the scalar `other`.
            operator aclnnInplaceNeScalar, aclnnInplaceNeScalarGetWorkspaceSize(selfRef: inout_tensor, other: scalar) in "aclnn_ne_scalar.h";
            /// Whether `self` is greater than `other`, with broadcasting.
            operator aclnnGtTensor, aclnnGtTensorGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_gt_tensor.h";
            /// In place: whether `selfRef` is greater than `other`, with broadcasting.
            operator aclnnInplaceGtTensor, aclnnInplaceGtTensorGetWorkspaceSize(selfRef: const_inout_tensor, other: tensor) in "aclnn_gt_tensor.h";
            /// Whether `self` is greater than the scalar `other`.
            operator aclnnGtScalar, aclnnGtScalarGetWorkspaceSize(self_: tensor, other: scalar, out: out_tensor) in "aclnn_gt_scalar.h";
            /// In place: whether `selfRef` is greater than the scalar `other`.
            operator aclnnInplaceGtScalar, aclnnInplaceGtScalarGetWorkspaceSize(selfRef: inout_tensor, other: scalar) in "aclnn_gt_scalar.h";
            /// Whether `self` is at least `other`, with broadcasting.
            operator aclnnGeTensor, aclnnGeTensorGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_ge_tensor.h";
            /// In place: whether `selfRef` is at least `other`, with broadcasting.
            operator aclnnInplaceGeTensor, aclnnInplaceGeTensorGetWorkspaceSize(selfRef: inout_tensor, other: tensor) in "aclnn_ge_tensor.h";
            /// Whether `self` is at least the scalar `other`.
            operator aclnnGeScalar, aclnnGeScalarGetWorkspaceSize(self_: tensor, other: scalar, out: out_tensor) in "aclnn_ge_scalar.h";
            /// In place: whether `selfRef` is at least the scalar `other`.
            operator aclnnInplaceGeScalar, aclnnInplaceGeScalarGetWorkspaceSize(selfRef: inout_tensor, other: scalar) in "aclnn_ge_scalar.h";
            /// Whether `self` is less than `other`, with broadcasting.
            operator aclnnLtTensor, aclnnLtTensorGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_lt_tensor.h";
            /// In place: whether `selfRef` is less than `other`, with broadcasting.
            operator aclnnInplaceLtTensor, aclnnInplaceLtTensorGetWorkspaceSize(selfRef: const_inout_tensor, other: tensor) in "aclnn_lt_tensor.h";
            /// Whether `self` is less than the scalar `other`.
            operator aclnnLtScalar, aclnnLtScalarGetWorkspaceSize(self_: tensor, other: scalar, out: out_tensor) in "aclnn_lt_scalar.h";
            /// In place: whether `selfRef` is less than the scalar `other`.
            operator aclnnInplaceLtScalar, aclnnInplaceLtScalarGetWorkspaceSize(selfRef: const_inout_tensor, other: scalar) in "aclnn_lt_scalar.h";
            /// Whether `self` is at most `other`, with broadcasting.
            operator aclnnLeTensor, aclnnLeTensorGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_le_tensor.h";
            /// In place: whether `selfRef` is at most `other`, with broadcasting.
            operator aclnnInplaceLeTensor, aclnnInplaceLeTensorGetWorkspaceSize(selfRef: inout_tensor, other: tensor) in "aclnn_le_tensor.h";
            /// Whether `self` is at most the scalar `other`.
            operator aclnnLeScalar, aclnnLeScalarGetWorkspaceSize(self_: tensor, other: scalar, out: out_tensor) in "aclnn_le_scalar.h";
            /// In place: whether `selfRef` is at most the scalar `other`.
            operator aclnnInplaceLeScalar, aclnnInplaceLeScalarGetWorkspaceSize(selfRef: inout_tensor, other: scalar) in "aclnn_le_scalar.h";
            /// Whether both elements differ from 0, with broadcasting.
            operator aclnnLogicalAnd, aclnnLogicalAndGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_logical_and.h";
            /// In place: whether both elements differ from 0, with broadcasting.
            operator aclnnInplaceLogicalAnd, aclnnInplaceLogicalAndGetWorkspaceSize(selfRef: inout_tensor, other: tensor) in "aclnn_logical_and.h";
            /// Whether an element of the two differs from 0, with broadcasting.
            operator aclnnLogicalOr, aclnnLogicalOrGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_logical_or.h";
            /// In place: whether an element of the two differs from 0, with broadcasting.
            operator aclnnInplaceLogicalOr, aclnnInplaceLogicalOrGetWorkspaceSize(selfRef: inout_tensor, other: tensor) in "aclnn_logical_or.h";
            /// Whether the element is 0.
            operator aclnnLogicalNot, aclnnLogicalNotGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_logical_not.h";
            /// In place: whether the element is 0.
            operator aclnnInplaceLogicalNot, aclnnInplaceLogicalNotGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_logical_not.h";
            /// The bits that both elements have, with broadcasting.
            operator aclnnBitwiseAndTensor, aclnnBitwiseAndTensorGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_bitwise_and_tensor.h";
            /// In place: the bits that both elements have, with broadcasting.
            operator aclnnInplaceBitwiseAndTensor, aclnnInplaceBitwiseAndTensorGetWorkspaceSize(selfRef: const_inout_tensor, other: tensor) in "aclnn_bitwise_and_tensor.h";
            /// The bits that one of the elements has, with broadcasting.
            operator aclnnBitwiseOrTensor, aclnnBitwiseOrTensorGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_bitwise_or_tensor.h";
            /// In place: the bits that one of the elements has, with broadcasting.
            operator aclnnInplaceBitwiseOrTensor, aclnnInplaceBitwiseOrTensorGetWorkspaceSize(selfRef: inout_tensor, other: tensor) in "aclnn_bitwise_or_tensor.h";
            /// The bits that the element lacks.
            operator aclnnBitwiseNot, aclnnBitwiseNotGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_bitwise_not.h";
            /// Whether the element is neither infinite nor NaN.
            operator aclnnIsFinite, aclnnIsFiniteGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_isfinite.h";
            /// Whether the element is infinite.
            operator aclnnIsInf, aclnnIsInfGetWorkspaceSize(x: tensor, out: const_out_tensor) in "aclnn_is_inf.h";
            /// Whether two tensors have one shape and the same elements.
            operator aclnnEqual, aclnnEqualGetWorkspaceSize(self_: tensor, other: tensor, out: out_tensor) in "aclnn_equal.h";
            /// The element of `self` where `condition` is true, else that of `other`, with broadcasting.
            operator aclnnSWhere, aclnnSWhereGetWorkspaceSize(condition: tensor, self_: tensor, other: tensor, out: out_tensor) in "aclnn_s_where.h";
            /// Stores the scalar `value` in the elements of `selfRef` where `mask` is true.
            operator aclnnInplaceMaskedFillScalar, aclnnInplaceMaskedFillScalarGetWorkspaceSize(selfRef: inout_tensor, mask: tensor, value: scalar) in "aclnn_masked_fill_scalar.h";
            /// Stores the element of `value` in the elements of `selfRef` where `mask` is true.
            operator aclnnInplaceMaskedFillTensor, aclnnInplaceMaskedFillTensorGetWorkspaceSize(selfRef: inout_tensor, mask: tensor, value: tensor) in "aclnn_masked_fill_tensor.h";
            /// The absolute value.
            operator aclnnAbs, aclnnAbsGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_abs.h";
            /// `out = -self`.
            operator aclnnNeg, aclnnNegGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_neg.h";
            /// In place: `selfRef = -selfRef`.
            operator aclnnInplaceNeg, aclnnInplaceNegGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_neg.h";
            /// -1, 0 or 1, as the element is negative, 0 or positive.
            operator aclnnSign, aclnnSignGetWorkspaceSize(self_: tensor, result: out_tensor) in "aclnn_sign.h";
            /// `out = 1 / self`.
            operator aclnnReciprocal, aclnnReciprocalGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_reciprocal.h";
            /// In place: `selfRef = 1 / selfRef`.
            operator aclnnInplaceReciprocal, aclnnInplaceReciprocalGetWorkspaceSize(selfRef: const_inout_tensor) in "aclnn_reciprocal.h";
            /// `e` to the power of `self`.
            operator aclnnExp, aclnnExpGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_exp.h";
            /// In place: `e` to the power of `selfRef`.
            operator aclnnInplaceExp, aclnnInplaceExpGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_exp.h";
            /// 2 to the power of `self`.
            operator aclnnExp2, aclnnExp2GetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_exp2.h";
            /// In place: 2 to the power of `selfRef`.
            operator aclnnInplaceExp2, aclnnInplaceExp2GetWorkspaceSize(selfRef: inout_tensor) in "aclnn_exp2.h";
            /// `e` to the power of `self`, minus 1.
            operator aclnnExpm1, aclnnExpm1GetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_expm1.h";
            /// In place: `e` to the power of `selfRef`, minus 1.
            operator aclnnInplaceExpm1, aclnnInplaceExpm1GetWorkspaceSize(selfRef: inout_tensor) in "aclnn_expm1.h";
            /// The natural logarithm.
            operator aclnnLog, aclnnLogGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_log.h";
            /// In place: the natural logarithm.
            operator aclnnInplaceLog, aclnnInplaceLogGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_log.h";
            /// The logarithm to base 2.
            operator aclnnLog2, aclnnLog2GetWorkspaceSize(self_: tensor, out: const_out_tensor) in "aclnn_log2.h";
            /// In place: the logarithm to base 2.
            operator aclnnInplaceLog2, aclnnInplaceLog2GetWorkspaceSize(selfRef: const_inout_tensor) in "aclnn_log2.h";
            /// The natural logarithm of `1 + self`.
            operator aclnnLog1p, aclnnLog1pGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_log1p.h";
            /// In place: the natural logarithm of `1 + selfRef`.
            operator aclnnInplaceLog1p, aclnnInplaceLog1pGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_log1p.h";
            /// The square root.
            operator aclnnSqrt, aclnnSqrtGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_sqrt.h";
            /// In place: the square root.
            operator aclnnInplaceSqrt, aclnnInplaceSqrtGetWorkspaceSize(self_: inout_tensor) in "aclnn_sqrt.h";
            /// `out = 1 / sqrt(self)`.
            operator aclnnRsqrt, aclnnRsqrtGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_rsqrt.h";
            /// In place: `selfRef = 1 / sqrt(selfRef)`.
            operator aclnnInplaceRsqrt, aclnnInplaceRsqrtGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_rsqrt.h";
            /// The sine of an angle in radians.
            operator aclnnSin, aclnnSinGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_sin.h";
            /// In place: the sine of an angle in radians.
            operator aclnnInplaceSin, aclnnInplaceSinGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_sin.h";
            /// The cosine of an angle in radians.
            operator aclnnCos, aclnnCosGetWorkspaceSize(input: tensor, out: out_tensor) in "aclnn_cos.h";
            /// In place: the cosine of an angle in radians.
            operator aclnnInplaceCos, aclnnInplaceCosGetWorkspaceSize(inputRef: inout_tensor) in "aclnn_cos.h";
            /// The error function.
            operator aclnnErf, aclnnErfGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_erf.h";
            /// In place: the error function.
            operator aclnnInplaceErf, aclnnInplaceErfGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_erf.h";
            /// Rounds down.
            operator aclnnFloor, aclnnFloorGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_floor.h";
            /// In place: rounds down.
            operator aclnnInplaceFloor, aclnnInplaceFloorGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_floor.h";
            /// Rounds up.
            operator aclnnCeil, aclnnCeilGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_ceil.h";
            /// In place: rounds up.
            operator aclnnInplaceCeil, aclnnInplaceCeilGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_ceil.h";
            /// Cuts the fraction off.
            operator aclnnTrunc, aclnnTruncGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_trunc.h";
            /// In place: cuts the fraction off.
            operator aclnnInplaceTrunc, aclnnInplaceTruncGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_trunc.h";
            /// Rounds to the nearest whole number, and a tie to the even one.
            operator aclnnRound, aclnnRoundGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_round.h";
            /// In place: rounds to the nearest whole number, and a tie to the even one.
            operator aclnnInplaceRound, aclnnInplaceRoundGetWorkspaceSize(selfRef: const_inout_tensor) in "aclnn_round.h";
            /// Replaces NaN and both infinities by numbers.
            operator aclnnNanToNum, aclnnNanToNumGetWorkspaceSize(self_: tensor, nan: f32, posinf: f32, neginf: f32, out: out_tensor) in "aclnn_nan_to_num.h";
            /// In place: replaces NaN and both infinities by numbers.
            operator aclnnInplaceNanToNum, aclnnInplaceNanToNumGetWorkspaceSize(selfRef: inout_tensor, nan: f32, posinf: f32, neginf: f32) in "aclnn_nan_to_num.h";
            /// `out` is `self` in another data type.
            operator aclnnCast, aclnnCastGetWorkspaceSize(self_: tensor, dtype: aclDataType, out: out_tensor) in "aclnn_cast.h";
            /// Copies `src` to `selfRef` with broadcasting, and converts it to the data type of `selfRef`.
            operator aclnnInplaceCopy, aclnnInplaceCopyGetWorkspaceSize(selfRef: inout_tensor, src: tensor) in "aclnn_copy.h";
            /// `out = max(self, 0)`.
            operator aclnnRelu, aclnnReluGetWorkspaceSize(self_: tensor, out: const_out_tensor) in "aclnn_relu.h";
            /// In place: `selfRef = max(selfRef, 0)`.
            operator aclnnInplaceRelu, aclnnInplaceReluGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_relu.h";
            /// `self` where it is positive, else `negativeSlope * self`.
            operator aclnnLeakyRelu, aclnnLeakyReluGetWorkspaceSize(self_: tensor, negativeSlope: scalar, out: out_tensor) in "aclnn_leaky_relu.h";
            /// In place: `selfRef` where it is positive, else `negativeSlope * selfRef`.
            operator aclnnInplaceLeakyRelu, aclnnInplaceLeakyReluGetWorkspaceSize(selfRef: inout_tensor, negativeSlope: scalar) in "aclnn_leaky_relu.h";
            /// `scale * self` where `self` is positive, else `scale * alpha * (exp(inputScale * self) - 1)`.
            operator aclnnElu, aclnnEluGetWorkspaceSize(self_: tensor, alpha: scalar, scale: scalar, inputScale: scalar, out: out_tensor) in "aclnn_elu.h";
            /// In place: `scale * selfRef` where `selfRef` is positive, else `scale * alpha * (exp(inputScale * selfRef) - 1)`.
            operator aclnnInplaceElu, aclnnInplaceEluGetWorkspaceSize(selfRef: inout_tensor, alpha: scalar, scale: scalar, inputScale: scalar) in "aclnn_elu.h";
            /// `self` where it is greater than `threshold`, else `value`.
            operator aclnnThreshold, aclnnThresholdGetWorkspaceSize(self_: tensor, threshold: scalar, value: scalar, out: out_tensor) in "aclnn_threshold.h";
            /// In place: `selfRef` where it is greater than `threshold`, else `value`.
            operator aclnnInplaceThreshold, aclnnInplaceThresholdGetWorkspaceSize(selfRef: inout_tensor, threshold: scalar, value: scalar) in "aclnn_threshold.h";
            /// `out = 1 / (1 + exp(-self))`.
            operator aclnnSigmoid, aclnnSigmoidGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_sigmoid.h";
            /// In place: `selfRef = 1 / (1 + exp(-selfRef))`.
            operator aclnnInplaceSigmoid, aclnnInplaceSigmoidGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_sigmoid.h";
            /// The hyperbolic tangent.
            operator aclnnTanh, aclnnTanhGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_tanh.h";
            /// In place: the hyperbolic tangent.
            operator aclnnInplaceTanh, aclnnInplaceTanhGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_tanh.h";
            /// `out = self * sigmoid(self)`.
            operator aclnnSilu, aclnnSiluGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_silu.h";
            /// `out = self * tanh(ln(1 + exp(self)))`.
            operator aclnnMish, aclnnMishGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_mish.h";
            /// In place: `selfRef = selfRef * tanh(ln(1 + exp(selfRef)))`.
            operator aclnnInplaceMish, aclnnInplaceMishGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_mish.h";
            /// `self` times the normal distribution of `self`, in the form with `tanh`.
            operator aclnnGelu, aclnnGeluGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_gelu.h";
            /// `x` times the normal distribution of `x`; `approximate` 0 is exact, and 1 the form with `tanh`.
            operator aclnnGeluV2, aclnnGeluV2GetWorkspaceSize(x: tensor, approximate: i64, y: out_tensor) in "aclnn_gelu_v2.h";
            /// `ln(1 + exp(beta * self)) / beta`, and `self` where `beta * self` is greater than `threshold`.
            operator aclnnSoftplus, aclnnSoftplusGetWorkspaceSize(self_: tensor, beta: scalar, threshold: scalar, out: out_tensor) in "aclnn_softplus.h";
            /// `out = self * min(max(self + 3, 0), 6) / 6`.
            operator aclnnHardswish, aclnnHardswishGetWorkspaceSize(self_: tensor, out: const_out_tensor) in "aclnn_hardswish.h";
            /// In place: `selfRef = selfRef * min(max(selfRef + 3, 0), 6) / 6`.
            operator aclnnInplaceHardswish, aclnnInplaceHardswishGetWorkspaceSize(self_: const_inout_tensor) in "aclnn_hardswish.h";
            /// `out = min(max(self / 6 + 0.5, 0), 1)`.
            operator aclnnHardsigmoid, aclnnHardsigmoidGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_hardsigmoid.h";
            /// In place: `selfRef = min(max(selfRef / 6 + 0.5, 0), 1)`.
            operator aclnnInplaceHardsigmoid, aclnnInplaceHardsigmoidGetWorkspaceSize(self_: const_inout_tensor) in "aclnn_hardsigmoid.h";
            /// `silu(a) * b` for the two halves `a` and `b` of `x` along `dim`.
            operator aclnnSwiGlu, aclnnSwiGluGetWorkspaceSize(x: tensor, dim: i64, out: const_out_tensor) in "aclnn_swi_glu.h";
            /// `gelu(a) * b` for the two halves of `self` along `dim`; `activateLeft` makes `a` the first half.
            operator aclnnGeGluV3, aclnnGeGluV3GetWorkspaceSize(self_: tensor, dim: i64, approximate: i64, activateLeft: bool, out: out_tensor, outGelu: out_tensor) in "aclnn_geglu.h";
            /// Sums over the dimensions `dims`, or over all of them where `dims` is empty.
            operator aclnnReduceSum, aclnnReduceSumGetWorkspaceSize(self_: tensor, dims: int_array, keepDims: bool, dtype: aclDataType, out: out_tensor) in "aclnn_reduce_sum.h";
            /// Means over the dimensions `dim`, or over all of them where `dim` is empty.
            operator aclnnMean, aclnnMeanGetWorkspaceSize(self_: tensor, dim: int_array, keepDim: bool, dtype: aclDataType, out: out_tensor) in "aclnn_mean.h";
            /// The product of all elements.
            operator aclnnProd, aclnnProdGetWorkspaceSize(self_: tensor, dtype: aclDataType, out: out_tensor) in "aclnn_prod.h";
            /// Products over the dimension `dim`.
            operator aclnnProdDim, aclnnProdDimGetWorkspaceSize(self_: tensor, dim: i64, keepDim: bool, dtype: aclDataType, out: out_tensor) in "aclnn_prod.h";
            /// The largest element.
            operator aclnnMax, aclnnMaxGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_max.h";
            /// The smallest element.
            operator aclnnMin, aclnnMinGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_min.h";
            /// The largest elements along the dimension `dim`, and where they stood.
            operator aclnnMaxDim, aclnnMaxDimGetWorkspaceSize(self_: tensor, dim: i64, keepdim: bool, out: out_tensor, indices: out_tensor) in "aclnn_max_dim.h";
            /// The smallest elements along the dimension `dim`, and where they stood.
            operator aclnnMinDim, aclnnMinDimGetWorkspaceSize(self_: tensor, dim: i64, keepdim: bool, out: out_tensor, indices: out_tensor) in "aclnn_min_dim.h";
            /// The largest elements over the dimensions `dim`, or over all of them where `dim` is empty.
            operator aclnnAmax, aclnnAmaxGetWorkspaceSize(self_: tensor, dim: int_array, keepDim: bool, out: out_tensor) in "aclnn_amax.h";
            /// The smallest elements over the dimensions `dim`, or over all of them where `dim` is empty.
            operator aclnnAmin, aclnnAminGetWorkspaceSize(self_: tensor, dim: int_array, keepDim: bool, out: out_tensor) in "aclnn_amin.h";
            /// Where the largest elements along the dimension `dim` stand.
            operator aclnnArgMax, aclnnArgMaxGetWorkspaceSize(self_: tensor, dim: i64, keepdim: bool, out: out_tensor) in "aclnn_argmax.h";
            /// Where the smallest elements along the dimension `dim` stand.
            operator aclnnArgMin, aclnnArgMinGetWorkspaceSize(self_: tensor, dim: i64, keepdim: bool, out: out_tensor) in "aclnn_argmin.h";
            /// Whether all elements over the dimensions `dim` differ from 0.
            operator aclnnAll, aclnnAllGetWorkspaceSize(self_: tensor, dim: int_array, keepdim: bool, out: out_tensor) in "aclnn_all.h";
            /// Whether an element over the dimensions `dim` differs from 0.
            operator aclnnAny, aclnnAnyGetWorkspaceSize(self_: tensor, dim: int_array, keepdim: bool, out: out_tensor) in "aclnn_any.h";
            /// Standard deviations over the dimensions `dim`; `correction` is subtracted from the number of elements.
            operator aclnnStd, aclnnStdGetWorkspaceSize(self_: tensor, dim: optional_int_array, correction: i64, keepdim: bool, out: out_tensor) in "aclnn_std.h";
            /// Variances over the dimensions `dim`; `unbiased` subtracts 1 from the number of elements.
            operator aclnnVar, aclnnVarGetWorkspaceSize(self_: tensor, dim: optional_int_array, unbiased: bool, keepdim: bool, out: out_tensor) in "aclnn_var.h";
            /// Norms of the order `pScalar` over the dimensions `dim`.
            operator aclnnNorm, aclnnNormGetWorkspaceSize(self_: tensor, pScalar: scalar, dim: int_array, keepdim: bool, out: out_tensor) in "aclnn_norm.h";
            /// The logarithms of the sums of `exp(self)` over the dimensions `dim`.
            operator aclnnLogSumExp, aclnnLogSumExpGetWorkspaceSize(self_: tensor, dim: int_array, keepDim: bool, out: out_tensor) in "aclnn_logsumexp.h";
            /// Sums of the elements up to each one along the dimension `dim`.
            operator aclnnCumsum, aclnnCumsumGetWorkspaceSize(self_: tensor, dim: i64, dtype: aclDataType, out: out_tensor) in "aclnn_cumsum.h";
            /// The inner product of two vectors.
            operator aclnnDot, aclnnDotGetWorkspaceSize(self_: tensor, tensor: tensor, out: out_tensor) in "aclnn_dot.h";
            /// `exp(self)`, divided by its sum along the dimension `dim`.
            operator aclnnSoftmax, aclnnSoftmaxGetWorkspaceSize(self_: tensor, dim: i64, out: out_tensor) in "aclnn_softmax.h";
            /// The logarithm of the softmax along the dimension `dim`.
            operator aclnnLogSoftmax, aclnnLogSoftmaxGetWorkspaceSize(self_: tensor, dim: i64, out: out_tensor) in "aclnn_logsoftmax.h";
            /// Normalizes over the last dimensions, whose sizes are `normalizedShape`.
            operator aclnnLayerNorm, aclnnLayerNormGetWorkspaceSize(input: tensor, normalizedShape: int_array, weightOptional: optional_tensor, biasOptional: optional_tensor, eps: f64, out: out_tensor, meanOutOptional: optional_out_tensor, rstdOutOptional: optional_out_tensor) in "aclnn_layer_norm.h";
            /// Normalizes `x1 + x2` over the dimensions of `gamma`.
            operator aclnnAddLayerNorm, aclnnAddLayerNormGetWorkspaceSize(x1: tensor, x2: tensor, gamma: tensor, beta: tensor, biasOptional: optional_tensor, epsilon: f64, additionalOutput: bool, yOut: const_out_tensor, meanOut: const_out_tensor, rstdOut: const_out_tensor, xOut: const_out_tensor) in "aclnn_add_layer_norm.h";
            /// Divides by the root of the mean square over the dimensions of `gamma`.
            operator aclnnRmsNorm, aclnnRmsNormGetWorkspaceSize(x: tensor, gamma: tensor, epsilon: f64, yOut: const_out_tensor, rstdOut: const_out_tensor) in "aclnn_rms_norm.h";
            /// Divides `x1 + x2` by the root of its mean square over the dimensions of `gamma`.
            operator aclnnAddRmsNorm, aclnnAddRmsNormGetWorkspaceSize(x1: tensor, x2: tensor, gamma: tensor, epsilon: f64, yOut: const_out_tensor, rstdOut: const_out_tensor, xOut: const_out_tensor) in "aclnn_add_rms_norm.h";
            /// Normalizes over groups of channels.
            operator aclnnGroupNorm, aclnnGroupNormGetWorkspaceSize(self_: tensor, gamma: optional_tensor, beta: optional_tensor, N: i64, C: i64, HxW: i64, group: i64, eps: f64, out: out_tensor, meanOut: out_tensor, rstdOut: out_tensor) in "aclnn_group_norm.h";
            /// Normalizes each channel over the batch.
            operator aclnnBatchNorm, aclnnBatchNormGetWorkspaceSize(input: tensor, weight: optional_tensor, bias: optional_tensor, runningMean: optional_inout_tensor, runningVar: optional_inout_tensor, training: bool, momentum: f64, eps: f64, output: out_tensor, saveMean: out_tensor, saveInvstd: out_tensor) in "aclnn_batch_norm.h";
            /// The product of matrices, or of batches of them, which are broadcast.
            operator aclnnMatmul, aclnnMatmulGetWorkspaceSize(self_: tensor, mat2: tensor, out: out_tensor, cubeMathType: i8) in "aclnn_matmul.h";
            /// The product of two matrices.
            operator aclnnMm, aclnnMmGetWorkspaceSize(self_: tensor, mat2: tensor, out: out_tensor, cubeMathType: i8) in "aclnn_mm.h";
            /// The products of two batches of matrices.
            operator aclnnBatchMatMul, aclnnBatchMatMulGetWorkspaceSize(self_: tensor, mat2: tensor, out: out_tensor, cubeMathType: i8) in "aclnn_batch_matmul.h";
            /// `out = beta * self + alpha * (mat1 @ mat2)`; `self` is broadcast.
            operator aclnnAddmm, aclnnAddmmGetWorkspaceSize(self_: tensor, mat1: tensor, mat2: tensor, beta: scalar, alpha: scalar, out: out_tensor, cubeMathType: i8) in "aclnn_addmm.h";
            /// In place: `selfRef = beta * selfRef + alpha * (mat1 @ mat2)`; `selfRef` is broadcast.
            operator aclnnInplaceAddmm, aclnnInplaceAddmmGetWorkspaceSize(selfRef: const_inout_tensor, mat1: tensor, mat2: tensor, beta: scalar, alpha: scalar, cubeMathType: i8) in "aclnn_addmm.h";
            /// `out = beta * self + alpha * (batch1 @ batch2)` for batches of matrices; `self` is broadcast.
            operator aclnnBaddbmm, aclnnBaddbmmGetWorkspaceSize(self_: tensor, batch1: tensor, batch2: tensor, beta: scalar, alpha: scalar, out: out_tensor, cubeMathType: i8) in "aclnn_baddbmm.h";
            /// In place: `selfRef = beta * selfRef + alpha * (batch1 @ batch2)` for batches of matrices; `selfRef` is broadcast.
            operator aclnnInplaceBaddbmm, aclnnInplaceBaddbmmGetWorkspaceSize(selfRef: const_inout_tensor, batch1: tensor, batch2: tensor, beta: scalar, alpha: scalar, cubeMathType: i8) in "aclnn_baddbmm.h";
            /// The product of a matrix and a vector.
            operator aclnnMv, aclnnMvGetWorkspaceSize(self_: tensor, vec: tensor, out: out_tensor, cubeMathType: i8) in "aclnn_mv.h";
            /// The products of each element of one vector and each element of another.
            operator aclnnGer, aclnnGerGetWorkspaceSize(self_: tensor, vec2: tensor, out: out_tensor) in "aclnn_ger.h";
            /// Solves `A @ xOut = self` for triangular matrices `A`.
            operator aclnnTriangularSolve, aclnnTriangularSolveGetWorkspaceSize(self_: tensor, A: tensor, upper: bool, transpose: bool, unitriangular: bool, xOut: out_tensor, mOut: out_tensor) in "aclnn_triangular_solve.h";
            /// Reorders the dimensions.
            operator aclnnPermute, aclnnPermuteGetWorkspaceSize(self_: tensor, dims: int_array, out: out_tensor) in "aclnn_permute.h";
            /// Adds up the tensors, element by element.
            operator aclnnSum, aclnnSumGetWorkspaceSize(tensors: tensor_list, out: out_tensor) in "aclnn_sum.h";
            /// Joins tensors along the dimension `dim`.
            operator aclnnCat, aclnnCatGetWorkspaceSize(tensors: tensor_list, dim: i64, out: out_tensor) in "aclnn_cat.h";
            /// Joins tensors along a new dimension `dim`.
            operator aclnnStack, aclnnStackGetWorkspaceSize(tensors: tensor_list, dim: i64, out: out_tensor) in "aclnn_stack.h";
            /// Splits into parts of the size `splitSections` along the dimension `dim`.
            operator aclnnSplitTensor, aclnnSplitTensorGetWorkspaceSize(self_: tensor, splitSections: u64, dim: i64, out: out_tensor_list) in "aclnn_split_tensor.h";
            /// Splits into parts of the sizes `splitSize` along the dimension `dim`.
            operator aclnnSplitWithSize, aclnnSplitWithSizeGetWorkspaceSize(self_: tensor, splitSize: int_array, dim: i64, out: out_tensor_list) in "aclnn_split_with_size.h";
            /// The elements from `start` to `end` along the dimension `dim`, at the distance `step`.
            operator aclnnSlice, aclnnSliceGetWorkspaceSize(self_: tensor, dim: i64, start: i64, end: i64, step: i64, out: out_tensor) in "aclnn_slice.h";
            /// Repeats dimensions of size 1, and writes the result to `out`.
            operator aclnnExpand, aclnnExpandGetWorkspaceSize(self_: tensor, size: int_array, out: out_tensor) in "aclnn_expand.h";
            /// Repeats the whole tensor along each dimension.
            operator aclnnRepeat, aclnnRepeatGetWorkspaceSize(self_: tensor, repeats: int_array, out: out_tensor) in "aclnn_repeat.h";
            /// Repeats each element along the dimension `dim`.
            operator aclnnRepeatInterleaveIntWithDim, aclnnRepeatInterleaveIntWithDimGetWorkspaceSize(self_: tensor, repeats: i64, dim: i64, outputSize: i64, out: out_tensor) in "aclnn_repeat_interleave.h";
            /// Reverses the order along the dimensions `dims`.
            operator aclnnFlip, aclnnFlipGetWorkspaceSize(self_: tensor, dims: int_array, out: out_tensor) in "aclnn_flip.h";
            /// Moves the elements along the dimensions `dims`; those beyond the end come in at the front.
            operator aclnnRoll, aclnnRollGetWorkspaceSize(x: tensor, shifts: int_array, dims: optional_int_array, out: out_tensor) in "aclnn_roll.h";
            /// Surrounds the tensor with `value`; negative widths cut elements off.
            operator aclnnConstantPadNd, aclnnConstantPadNdGetWorkspaceSize(self_: tensor, pad: int_array, value: scalar, out: out_tensor) in "aclnn_constant_pad_nd.h";
            /// Surrounds the last dimension with its mirror image.
            operator aclnnReflectionPad1d, aclnnReflectionPad1dGetWorkspaceSize(self_: tensor, padding: int_array, out: out_tensor) in "aclnn_reflection_pad1d.h";
            /// The lower triangle of matrices; the rest is 0.
            operator aclnnTril, aclnnTrilGetWorkspaceSize(self_: tensor, diagonal: i64, out: out_tensor) in "aclnn_tril.h";
            /// In place: the lower triangle of matrices; the rest is 0.
            operator aclnnInplaceTril, aclnnInplaceTrilGetWorkspaceSize(selfRef: const_inout_tensor, diagonal: i64) in "aclnn_tril.h";
            /// The upper triangle of matrices; the rest is 0.
            operator aclnnTriu, aclnnTriuGetWorkspaceSize(self_: tensor, diagonal: i64, out: out_tensor) in "aclnn_triu.h";
            /// In place: the upper triangle of matrices; the rest is 0.
            operator aclnnInplaceTriu, aclnnInplaceTriuGetWorkspaceSize(selfRef: inout_tensor, diagonal: i64) in "aclnn_triu.h";
            /// Fills with 0.
            operator aclnnInplaceZero, aclnnInplaceZeroGetWorkspaceSize(selfRef: inout_tensor) in "aclnn_zero.h";
            /// Fills with 1.
            operator aclnnInplaceOne, aclnnInplaceOneGetWorkspaceSize(selfRef: const_inout_tensor) in "aclnn_ones.h";
            /// Fills with a scalar.
            operator aclnnInplaceFillScalar, aclnnInplaceFillScalarGetWorkspaceSize(selfRef: inout_tensor, value: scalar) in "aclnn_fill_scalar.h";
            /// Fills with the only element of a tensor.
            operator aclnnInplaceFillTensor, aclnnInplaceFillTensorGetWorkspaceSize(selfRef: inout_tensor, value: tensor) in "aclnn_fill_tensor.h";
            /// The numbers from `start` to `end`, without `end`, at the distance `step`.
            operator aclnnArange, aclnnArangeGetWorkspaceSize(start: scalar, end: scalar, step: scalar, out: out_tensor) in "aclnn_arange.h";
            /// The numbers from `start` to `end`, with `end`, at the distance `step`.
            operator aclnnRange, aclnnRangeGetWorkspaceSize(start: scalar, end: scalar, step: scalar, out: out_tensor) in "aclnn_range.h";
            /// The identity matrix.
            operator aclnnEye, aclnnEyeGetWorkspaceSize(n: i64, m: i64, out: out_tensor) in "aclnn_eye.h";
            /// A new dimension with `onValue` at the index that `self` has, and `offValue` at the others.
            operator aclnnOneHot, aclnnOneHotGetWorkspaceSize(self_: tensor, numClasses: c_int, onValue: tensor, offValue: tensor, axis: i64, out: out_tensor) in "aclnn_one_hot.h";
            /// The parts of `self` along the dimension `dim` that `index` names.
            operator aclnnIndexSelect, aclnnIndexSelectGetWorkspaceSize(self_: tensor, dim: i64, index: tensor, out: out_tensor) in "aclnn_index_select.h";
            /// The elements of `self` whose positions along the dimension `dim` are in `index`.
            operator aclnnGather, aclnnGatherGetWorkspaceSize(self_: tensor, dim: i64, index: tensor, out: out_tensor) in "aclnn_gather.h";
            /// The parts of `self` along the dimension `dim` that `index` names; `index` has any rank.
            operator aclnnGatherV2, aclnnGatherV2GetWorkspaceSize(self_: tensor, dim: i64, index: tensor, out: out_tensor) in "aclnn_gather_v2.h";
            /// The rows of `weight` that `indices` names.
            operator aclnnEmbedding, aclnnEmbeddingGetWorkspaceSize(weight: tensor, indices: tensor, out: const_out_tensor) in "aclnn_embedding.h";
            /// The elements of `self` at the positions that the tensors of `indices` give for each dimension.
            operator aclnnIndex, aclnnIndexGetWorkspaceSize(self_: tensor, indices: sparse_tensor_list, out: out_tensor) in "aclnn_index.h";
            /// Stores `values` in the elements at the positions that the tensors of `indices` give, or adds them.
            operator aclnnIndexPutImpl, aclnnIndexPutImplGetWorkspaceSize(selfRef: inout_tensor, indices: sparse_tensor_list, values: tensor, accumulate: bool, unsafe_: bool) in "aclnn_index_put_impl.h";
            /// Stores `source` in the parts along the dimension `dim` that `index` names.
            operator aclnnInplaceIndexCopy, aclnnInplaceIndexCopyGetWorkspaceSize(selfRef: inout_tensor, dim: i64, index: tensor, source: tensor) in "aclnn_index_copy.h";
            /// Stores a scalar in the parts along the dimension `dim` that `index` names.
            operator aclnnInplaceIndexFillTensor, aclnnInplaceIndexFillTensorGetWorkspaceSize(selfRef: inout_tensor, dim: i64, index: int_array, value: scalar) in "aclnn_index_fill_tensor.h";
            /// Adds `alpha * source` to the parts along the dimension `dim` that `index` names.
            operator aclnnIndexAdd, aclnnIndexAddGetWorkspaceSize(self_: tensor, dim: i64, index: tensor, source: tensor, alpha: scalar, out: out_tensor) in "aclnn_index_add.h";
            /// Stores `src` in the elements whose positions along the dimension `dim` are in `index`; `reduce` 1 adds, and 2 multiplies.
            operator aclnnScatter, aclnnScatterGetWorkspaceSize(self_: tensor, dim: i64, index: tensor, src: tensor, reduce: i64, out: out_tensor) in "aclnn_scatter.h";
            /// In place: stores `src` in the elements whose positions along the dimension `dim` are in `index`; `reduce` 1 adds, and 2 multiplies.
            operator aclnnInplaceScatter, aclnnInplaceScatterGetWorkspaceSize(selfRef: inout_tensor, dim: i64, index: tensor, src: tensor, reduce: i64) in "aclnn_scatter.h";
            /// Adds `src` to the elements whose positions along the dimension `dim` are in `index`.
            operator aclnnScatterAdd, aclnnScatterAddGetWorkspaceSize(self_: tensor, dim: i64, index: tensor, src: tensor, out: out_tensor) in "aclnn_scatter_add.h";
            /// Stores `updates` in `data` from the positions on that `indices` has for each batch.
            operator aclnnInplaceScatterUpdate, aclnnInplaceScatterUpdateGetWorkspaceSize(data: inout_tensor, indices: tensor, updates: tensor, axis: i64) in "aclnn_scatter_update.h";
            /// Stores `updates` in the parts of `varRef` whose positions are the rows of `indices`.
            operator aclnnScatterNdUpdate, aclnnScatterNdUpdateGetWorkspaceSize(varRef: inout_tensor, indices: tensor, updates: tensor) in "aclnn_scatter_nd_update.h";
            /// The `k` largest or smallest elements along the dimension `dim`, and where they stood.
            operator aclnnTopk, aclnnTopkGetWorkspaceSize(self_: tensor, k: i64, dim: i64, largest: bool, sorted: bool, valuesOut: out_tensor, indicesOut: out_tensor) in "aclnn_topk.h";
            /// Sorts along the dimension `dim`; also gives where the elements stood.
            operator aclnnSort, aclnnSortGetWorkspaceSize(self_: tensor, stable: bool, dim: i64, descending: bool, valuesOut: out_tensor, indicesOut: out_tensor) in "aclnn_sort.h";
            /// Where the elements stand that sorting along the dimension `dim` puts in order.
            operator aclnnArgsort, aclnnArgsortGetWorkspaceSize(self_: tensor, dim: i64, descending: bool, out: out_tensor) in "aclnn_argsort.h";
            /// The different elements, where each element is among them, and how often each occurs.
            operator aclnnUnique2, aclnnUnique2GetWorkspaceSize(self_: tensor, sorted: bool, returnInverse: bool, returnCounts: bool, valueOut: out_tensor, inverseOut: out_tensor, countsOut: out_tensor) in "aclnn_unique2.h";
            /// The positions of the elements that differ from 0, a row for each.
            operator aclnnNonzero, aclnnNonzeroGetWorkspaceSize(self_: tensor, out: out_tensor) in "aclnn_nonzero.h";
            /// The elements where `mask` is true, one after the other.
            operator aclnnMaskedSelect, aclnnMaskedSelectGetWorkspaceSize(self_: tensor, mask: tensor, out: out_tensor) in "aclnn_masked_select.h";
            /// Convolves with `weight`, or transposes a convolution.
            operator aclnnConvolution, aclnnConvolutionGetWorkspaceSize(input: tensor, weight: tensor, bias: optional_tensor, stride: int_array, padding: int_array, dilation: int_array, transposed: bool, outputPadding: optional_int_array, groups: i64, output: out_tensor, cubeMathType: i8) in "aclnn_convolution.h";
            /// Convolves each channel with filters of its own.
            operator aclnnConvDepthwise2d, aclnnConvDepthwise2dGetWorkspaceSize(self_: tensor, weight: tensor, kernelSize: int_array, bias: optional_tensor, stride: int_array, padding: int_array, dilation: int_array, out: out_tensor, cubeMathType: i8) in "aclnn_convolution.h";
            /// The blocks under a sliding window, as columns.
            operator aclnnIm2col, aclnnIm2colGetWorkspaceSize(self_: tensor, kernelSize: int_array, dilation: int_array, padding: int_array, stride: int_array, out: const_out_tensor) in "aclnn_im2col.h";
            /// Means under a sliding window.
            operator aclnnAvgPool2d, aclnnAvgPool2dGetWorkspaceSize(self_: tensor, kernelSize: int_array, strides: int_array, paddings: int_array, ceilMode: bool, countIncludePad: bool, divisorOverride: i64, cubeMathType: i8, out: out_tensor) in "aclnn_avgpool2d.h";
            /// Means of as many blocks as `outputSize` says.
            operator aclnnAdaptiveAvgPool2d, aclnnAdaptiveAvgPool2dGetWorkspaceSize(self_: tensor, outputSize: int_array, out: out_tensor) in "aclnn_adaptive_avg_pool2d.h";
            /// The largest elements under a sliding window.
            operator aclnnMaxPool, aclnnMaxPoolGetWorkspaceSize(self_: tensor, kernelShape: int_array, strides: int_array, autoPad: i64, pads: int_array, dilations: int_array, ceilMode: i64, out: out_tensor) in "aclnn_max_pool.h";
            /// The largest elements under a sliding window, and where they stood.
            operator aclnnMaxPool2dWithIndices, aclnnMaxPool2dWithIndicesGetWorkspaceSize(self_: tensor, kernelSize: int_array, stride: int_array, padding: int_array, dilation: int_array, ceilMode: bool, out: out_tensor, indices: out_tensor) in "aclnn_max_pool2d_with_indices.h";
            /// Resizes images to `outputSize`, with the nearest element.
            operator aclnnUpsampleNearest2d, aclnnUpsampleNearest2dGetWorkspaceSize(self_: tensor, outputSize: int_array, out: out_tensor) in "aclnn_upsample_nearest_2d.h";
            /// Resizes images to `outputSize`, with linear interpolation.
            operator aclnnUpsampleBilinear2d, aclnnUpsampleBilinear2dGetWorkspaceSize(self_: tensor, outputSize: int_array, alignCorners: bool, scalesH: f64, scalesW: f64, out: out_tensor) in "aclnn_upsample_bilinear_2d.h";
            /// `out = x * cos + rotated * sin`; `mode` says which elements are rotated as pairs.
            #[newer]
            operator aclnnRotaryPositionEmbedding, aclnnRotaryPositionEmbeddingGetWorkspaceSize(x: tensor, cos: tensor, sin: tensor, mode: i64, out: out_tensor) in "aclnn_rotary_position_embedding.h";
            /// Rotates queries and keys by their positions, in place.
            operator aclnnApplyRotaryPosEmb, aclnnApplyRotaryPosEmbGetWorkspaceSize(queryRef: inout_tensor, keyRef: inout_tensor, cos: tensor, sin: tensor, layout: i64) in "aclnn_apply_rotary_pos_emb.h";
            /// Rotates queries and keys by their positions, in place; `rotaryMode` names the pairs.
            #[newer]
            operator aclnnApplyRotaryPosEmbV2, aclnnApplyRotaryPosEmbV2GetWorkspaceSize(queryRef: inout_tensor, keyRef: inout_tensor, cos: tensor, sin: tensor, layout: i64, rotaryMode: mut_text) in "aclnn_apply_rotary_pos_emb_v2.h";
            /// Attention for training: `softmax(scaleValue * query @ key + mask) @ value`.
            operator aclnnFlashAttentionScore, aclnnFlashAttentionScoreGetWorkspaceSize(query: tensor, key: tensor, value: tensor, realShiftOptional: optional_tensor, dropMaskOptional: optional_tensor, paddingMaskOptional: optional_tensor, attenMaskOptional: optional_tensor, prefixOptional: optional_int_array, scaleValue: f64, keepProb: f64, preTokens: i64, nextTokens: i64, headNum: i64, inputLayout: mut_text, innerPrecise: i64, sparseMode: i64, softmaxMaxOut: const_out_tensor, softmaxSumOut: const_out_tensor, softmaxOutOut: optional_const_out_tensor, attentionOutOut: const_out_tensor) in "aclnn_flash_attention_score.h";
            /// Attention of a whole prompt.
            operator aclnnPromptFlashAttentionV3, aclnnPromptFlashAttentionV3GetWorkspaceSize(query: tensor, key: tensor, value: tensor, pseShift: optional_tensor, attenMask: optional_tensor, actualSeqLengths: optional_int_array, actualSeqLengthsKv: optional_int_array, deqScale1: optional_tensor, quantScale1: optional_tensor, deqScale2: optional_tensor, quantScale2: optional_tensor, quantOffset2: optional_tensor, numHeads: i64, scaleValue: f64, preTokens: i64, nextTokens: i64, inputLayout: mut_text, numKeyValueHeads: i64, sparseMode: i64, innerPrecise: i64, attentionOut: const_out_tensor) in "aclnn_prompt_flash_attention_v3.h";
            /// Attention of one new token to all tokens before it.
            operator aclnnIncreFlashAttentionV4, aclnnIncreFlashAttentionV4GetWorkspaceSize(query: tensor, key: tensor_list, value: tensor_list, pseShift: optional_tensor, attenMask: optional_tensor, actualSeqLengths: optional_int_array, dequantScale1: optional_tensor, quantScale1: optional_tensor, dequantScale2: optional_tensor, quantScale2: optional_tensor, quantOffset2: optional_tensor, antiquantScale: optional_tensor, antiquantOffset: optional_tensor, blocktable: optional_tensor, kvPaddingSize: optional_tensor, numHeads: i64, scaleValue: f64, inputLayout: mut_text, numKeyValueHeads: i64, blockSize: i64, innerPrecise: i64, attentionOut: const_out_tensor) in "aclnn_incre_flash_attention_v4.h";
            /// Attention of a prompt or of one new token.
            operator aclnnFusedInferAttentionScoreV2, aclnnFusedInferAttentionScoreV2GetWorkspaceSize(query: tensor, key: tensor_list, value: tensor_list, pseShiftOptional: optional_tensor, attenMaskOptional: optional_tensor, actualSeqLengthsOptional: optional_int_array, actualSeqLengthsKvOptional: optional_int_array, deqScale1Optional: optional_tensor, quantScale1Optional: optional_tensor, deqScale2Optional: optional_tensor, quantScale2Optional: optional_tensor, quantOffset2Optional: optional_tensor, antiquantScaleOptional: optional_tensor, antiquantOffsetOptional: optional_tensor, blockTableOptional: optional_tensor, queryPaddingSizeOptional: optional_tensor, kvPaddingSizeOptional: optional_tensor, keyAntiquantScaleOptional: optional_tensor, keyAntiquantOffsetOptional: optional_tensor, valueAntiquantScaleOptional: optional_tensor, valueAntiquantOffsetOptional: optional_tensor, keySharedPrefixOptional: optional_tensor, valueSharedPrefixOptional: optional_tensor, actualSharedPrefixLenOptional: optional_int_array, numHeads: i64, scaleValue: f64, preTokens: i64, nextTokens: i64, inputLayout: mut_text, numKeyValueHeads: i64, sparseMode: i64, innerPrecise: i64, blockSize: i64, antiquantMode: i64, softmaxLseFlag: bool, keyAntiquantMode: i64, valueAntiquantMode: i64, attentionOut: const_out_tensor, softmaxLse: optional_const_out_tensor) in "aclnn_fused_infer_attention_score_v2.h";
            /// Attention of a prompt or of one new token, with separate parts for rotated elements.
            operator aclnnFusedInferAttentionScoreV3, aclnnFusedInferAttentionScoreV3GetWorkspaceSize(query: tensor, key: tensor_list, value: tensor_list, pseShiftOptional: optional_tensor, attenMaskOptional: optional_tensor, actualSeqLengthsOptional: optional_int_array, actualSeqLengthsKvOptional: optional_int_array, deqScale1Optional: optional_tensor, quantScale1Optional: optional_tensor, deqScale2Optional: optional_tensor, quantScale2Optional: optional_tensor, quantOffset2Optional: optional_tensor, antiquantScaleOptional: optional_tensor, antiquantOffsetOptional: optional_tensor, blockTableOptional: optional_tensor, queryPaddingSizeOptional: optional_tensor, kvPaddingSizeOptional: optional_tensor, keyAntiquantScaleOptional: optional_tensor, keyAntiquantOffsetOptional: optional_tensor, valueAntiquantScaleOptional: optional_tensor, valueAntiquantOffsetOptional: optional_tensor, keySharedPrefixOptional: optional_tensor, valueSharedPrefixOptional: optional_tensor, actualSharedPrefixLenOptional: optional_int_array, queryRopeOptional: optional_tensor, keyRopeOptional: optional_tensor, keyRopeAntiquantScaleOptional: optional_tensor, numHeads: i64, scaleValue: f64, preTokens: i64, nextTokens: i64, inputLayout: mut_text, numKeyValueHeads: i64, sparseMode: i64, innerPrecise: i64, blockSize: i64, antiquantMode: i64, softmaxLseFlag: bool, keyAntiquantMode: i64, valueAntiquantMode: i64, attentionOut: const_out_tensor, softmaxLse: optional_const_out_tensor) in "aclnn_fused_infer_attention_score_v3.h";
            /// Quantizes each row with a scale of its own.
            operator aclnnDynamicQuant, aclnnDynamicQuantGetWorkspaceSize(x: tensor, smoothScalesOptional: optional_tensor, yOut: const_out_tensor, scaleOut: const_out_tensor) in "aclnn_dynamic_quant.h";
            /// Quantizes with given scales.
            operator aclnnAscendQuantV3, aclnnAscendQuantV3GetWorkspaceSize(x: tensor, scale: tensor, offset: optional_tensor, sqrtMode: bool, roundMode: text, dstType: i32, axis: i32, y: const_out_tensor) in "aclnn_ascend_quant_v3.h";
            /// The product of quantized matrices.
            operator aclnnQuantMatmulV4, aclnnQuantMatmulV4GetWorkspaceSize(x1: tensor, x2: tensor, scale: tensor, offset: optional_tensor, pertokenScaleOptional: optional_tensor, bias: optional_tensor, transposeX1: bool, transposeX2: bool, out: const_out_tensor) in "aclnn_quant_matmul_v4.h";
            /// The product of a matrix and quantized weights.
            operator aclnnWeightQuantBatchMatmulV2, aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(x: tensor, weight: tensor, antiquantScale: tensor, antiquantOffsetOptional: optional_tensor, quantScaleOptional: optional_tensor, quantOffsetOptional: optional_tensor, biasOptional: optional_tensor, antiquantGroupSize: c_int, y: const_out_tensor) in "aclnn_weight_quant_batch_matmul_v2.h";
            /// The product of a matrix and weights in a fractal format.
            #[newer]
            operator aclnnMatmulWeightNz, aclnnMatmulWeightNzGetWorkspaceSize(self_: tensor, mat2: tensor, out: out_tensor, cubeMathType: i8) in "aclnn_matmul.h";
            /// Reorders weights to a fractal format, in place.
            operator aclnnTransMatmulWeight, aclnnTransMatmulWeightGetWorkspaceSize(mmWeightRef: inout_tensor) in "aclnn_trans_matmul_weight.h";
            /// Converts a tensor to another format.
            #[newer]
            operator aclnnNpuFormatCast, aclnnNpuFormatCastGetWorkspaceSize(srcTensor: tensor, dstTensor: out_tensor) in "aclnn_npu_format_cast.h";
            /// Fills with random numbers of a normal distribution.
            operator aclnnInplaceNormal, aclnnInplaceNormalGetWorkspaceSize(selfRef: const_inout_tensor, mean: f32, std: f32, seed: i64, offset: i64) in "aclnn_normal.h";
            /// Fills with random numbers from `from` up to `to`.
            operator aclnnInplaceUniform, aclnnInplaceUniformGetWorkspaceSize(selfRef: const_inout_tensor, from: f64, to: f64, seed: u64, offset: u64) in "aclnn_uniform.h";
        } }
    };
}

/// Calls `$callback!` without operators: the feature `operators` declares them.
#[cfg(not(feature = "operators"))]
#[doc(hidden)]
#[macro_export]
macro_rules! operators_for_inference {
    ($callback:path $(, $($context:tt)*)?) => {
        $callback! { $($($context)*)? }
    };
}
