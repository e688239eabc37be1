//! Operators on lists of tensors.

/// Adds operators to those of [`operators!`](crate::operators), and hands them on.
#[doc(hidden)]
#[macro_export]
macro_rules! operators_of_lists {
    ($callback:path [$($context:tt)*] { $($before:tt)* }) => {
        $crate::operators_of_steps! { $callback [$($context)*] {
            $($before)*
            /// Of each tensor of a list: the angle whose cosine it is.
            operator aclnnForeachAcos, aclnnForeachAcosGetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_acos.h";
            /// Of each tensor of a list: the angle whose sine it is.
            operator aclnnForeachAsin, aclnnForeachAsinGetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_asin.h";
            /// Of each tensor of a list: the angle whose tangent it is.
            operator aclnnForeachAtan, aclnnForeachAtanGetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_atan.h";
            /// Of each tensor of a list: the cosine.
            operator aclnnForeachCos, aclnnForeachCosGetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_cos.h";
            /// Of each tensor of a list: the hyperbolic cosine.
            operator aclnnForeachCosh, aclnnForeachCoshGetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_cosh.h";
            /// Of each tensor of a list: the error function.
            operator aclnnForeachErf, aclnnForeachErfGetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_erf.h";
            /// Of each tensor of a list: 1 minus the error function.
            operator aclnnForeachErfc, aclnnForeachErfcGetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_erfc.h";
            /// Of each tensor of a list: the exponential.
            operator aclnnForeachExp, aclnnForeachExpGetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_exp.h";
            /// Of each tensor of a list: the exponential minus 1.
            operator aclnnForeachExpm1, aclnnForeachExpm1GetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_expm1.h";
            /// Of each tensor of a list: the natural logarithm.
            operator aclnnForeachLog, aclnnForeachLogGetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_log.h";
            /// Of each tensor of a list: the logarithm to the base 10.
            operator aclnnForeachLog10, aclnnForeachLog10GetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_log10.h";
            /// Of each tensor of a list: the natural logarithm of 1 more.
            operator aclnnForeachLog1p, aclnnForeachLog1pGetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_log1p.h";
            /// Of each tensor of a list: the logarithm to the base 2.
            operator aclnnForeachLog2, aclnnForeachLog2GetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_log2.h";
            /// Of each tensor of a list: 1 divided by it.
            operator aclnnForeachReciprocal, aclnnForeachReciprocalGetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_reciprocal.h";
            /// Of each tensor of a list: the sigmoid.
            operator aclnnForeachSigmoid, aclnnForeachSigmoidGetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_sigmoid.h";
            /// Of each tensor of a list: the sine.
            operator aclnnForeachSin, aclnnForeachSinGetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_sin.h";
            /// Of each tensor of a list: the hyperbolic sine.
            operator aclnnForeachSinh, aclnnForeachSinhGetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_sinh.h";
            /// Of each tensor of a list: the square root.
            operator aclnnForeachSqrt, aclnnForeachSqrtGetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_sqrt.h";
            /// Of each tensor of a list: the tangent.
            operator aclnnForeachTan, aclnnForeachTanGetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_tan.h";
            /// Of each tensor of a list: the hyperbolic tangent.
            operator aclnnForeachTanh, aclnnForeachTanhGetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_tanh.h";
            /// Of each tensor of a list: the absolute value.
            operator aclnnForeachAbs, aclnnForeachAbsGetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_abs.h";
            /// Of each tensor of a list: the number with the other sign.
            operator aclnnForeachNeg, aclnnForeachNegGetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_neg.h";
            /// Of each tensor of a list: its sign as a number.
            operator aclnnForeachSign, aclnnForeachSignGetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_sign.h";
            /// Of each tensor of a list: the number itself.
            operator aclnnForeachCopy, aclnnForeachCopyGetWorkspaceSize(x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_copy.h";
            /// Of each tensor of a list: `a + alpha * b`.
            operator aclnnForeachAddList, aclnnForeachAddListGetWorkspaceSize(x1: tensor_list, x2: tensor_list, alpha: tensor, out: const_out_tensor_list) in "aclnn_foreach_add_list.h";
            /// Of each tensor of a list: `a + alpha * b` with a number of the host.
            operator aclnnForeachAddListV2, aclnnForeachAddListV2GetWorkspaceSize(x1: tensor_list, x2: tensor_list, alpha: scalar, out: out_tensor_list) in "aclnn_foreach_add_list_v2.h";
            /// Of each tensor of a list: `a - alpha * b`.
            operator aclnnForeachSubList, aclnnForeachSubListGetWorkspaceSize(x1: tensor_list, x2: tensor_list, alpha: tensor, out: const_out_tensor_list) in "aclnn_foreach_sub_list.h";
            /// Of each tensor of a list: `a - alpha * b` with a number of the host.
            operator aclnnForeachSubListV2, aclnnForeachSubListV2GetWorkspaceSize(x1: tensor_list, x2: tensor_list, alpha: scalar, out: out_tensor_list) in "aclnn_foreach_sub_list_v2.h";
            /// Of each tensor of a list: `a * b`.
            operator aclnnForeachMulList, aclnnForeachMulListGetWorkspaceSize(x1: tensor_list, x2: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_mul_list.h";
            /// Of each tensor of a list: `a / b`.
            operator aclnnForeachDivList, aclnnForeachDivListGetWorkspaceSize(x1: tensor_list, x2: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_div_list.h";
            /// Of each tensor of a list: the larger of two.
            operator aclnnForeachMaximumList, aclnnForeachMaximumListGetWorkspaceSize(x1: tensor_list, x2: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_maximum_list.h";
            /// Of each tensor of a list: the smaller of two.
            operator aclnnForeachMinimumList, aclnnForeachMinimumListGetWorkspaceSize(x1: tensor_list, x2: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_minimum_list.h";
            /// Of each tensor of a list: `a ^ b`.
            operator aclnnForeachPowList, aclnnForeachPowListGetWorkspaceSize(x1: tensor_list, x2: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_pow_list.h";
            /// Of each tensor of a list: `a + b`, where `b` is one number.
            operator aclnnForeachAddScalar, aclnnForeachAddScalarGetWorkspaceSize(x: tensor_list, scalar: tensor, out: const_out_tensor_list) in "aclnn_foreach_add_scalar.h";
            /// Of each tensor of a list: `a + b`, where `b` is a number of the host.
            operator aclnnForeachAddScalarV2, aclnnForeachAddScalarV2GetWorkspaceSize(x: tensor_list, scalar: scalar, out: out_tensor_list) in "aclnn_foreach_add_scalar_v2.h";
            /// Of each tensor of a list: `a + b`, where `b` has a number of the host for each.
            operator aclnnForeachAddScalarList, aclnnForeachAddScalarListGetWorkspaceSize(x: tensor_list, scalars: scalar_list, out: const_out_tensor_list) in "aclnn_foreach_add_scalar_list.h";
            /// Of each tensor of a list: `a - b`, where `b` is one number.
            operator aclnnForeachSubScalar, aclnnForeachSubScalarGetWorkspaceSize(x: tensor_list, scalar: tensor, out: const_out_tensor_list) in "aclnn_foreach_sub_scalar.h";
            /// Of each tensor of a list: `a - b`, where `b` is a number of the host.
            operator aclnnForeachSubScalarV2, aclnnForeachSubScalarV2GetWorkspaceSize(x: tensor_list, scalar: scalar, out: out_tensor_list) in "aclnn_foreach_sub_scalar_v2.h";
            /// Of each tensor of a list: `a - b`, where `b` has a number of the host for each.
            operator aclnnForeachSubScalarList, aclnnForeachSubScalarListGetWorkspaceSize(x: tensor_list, scalars: scalar_list, out: const_out_tensor_list) in "aclnn_foreach_sub_scalar_list.h";
            /// Of each tensor of a list: `a * b`, where `b` is one number.
            operator aclnnForeachMulScalar, aclnnForeachMulScalarGetWorkspaceSize(x: tensor_list, scalar: tensor, out: const_out_tensor_list) in "aclnn_foreach_mul_scalar.h";
            /// Of each tensor of a list: `a * b`, where `b` is a number of the host.
            operator aclnnForeachMulScalarV2, aclnnForeachMulScalarV2GetWorkspaceSize(x: tensor_list, scalar: scalar, out: out_tensor_list) in "aclnn_foreach_mul_scalar_v2.h";
            /// Of each tensor of a list: `a * b`, where `b` has a number of the host for each.
            operator aclnnForeachMulScalarList, aclnnForeachMulScalarListGetWorkspaceSize(x: tensor_list, scalars: scalar_list, out: const_out_tensor_list) in "aclnn_foreach_mul_scalar_list.h";
            /// Of each tensor of a list: `a / b`, where `b` is one number.
            operator aclnnForeachDivScalar, aclnnForeachDivScalarGetWorkspaceSize(x: tensor_list, scalar: tensor, out: const_out_tensor_list) in "aclnn_foreach_div_scalar.h";
            /// Of each tensor of a list: `a / b`, where `b` is a number of the host.
            operator aclnnForeachDivScalarV2, aclnnForeachDivScalarV2GetWorkspaceSize(x: tensor_list, scalar: scalar, out: out_tensor_list) in "aclnn_foreach_div_scalar_v2.h";
            /// Of each tensor of a list: `a / b`, where `b` has a number of the host for each.
            operator aclnnForeachDivScalarList, aclnnForeachDivScalarListGetWorkspaceSize(x: tensor_list, scalars: scalar_list, out: const_out_tensor_list) in "aclnn_foreach_div_scalar_list.h";
            /// Of each tensor of a list: the larger of two, where `b` is one number.
            operator aclnnForeachMaximumScalar, aclnnForeachMaximumScalarGetWorkspaceSize(x: tensor_list, scalar: tensor, out: const_out_tensor_list) in "aclnn_foreach_maximum_scalar.h";
            /// Of each tensor of a list: the larger of two, where `b` is a number of the host.
            operator aclnnForeachMaximumScalarV2, aclnnForeachMaximumScalarV2GetWorkspaceSize(x: tensor_list, scalar: scalar, out: out_tensor_list) in "aclnn_foreach_maximum_scalar_v2.h";
            /// Of each tensor of a list: the larger of two, where `b` has a number of the host for each.
            operator aclnnForeachMaximumScalarList, aclnnForeachMaximumScalarListGetWorkspaceSize(x: tensor_list, scalars: scalar_list, out: const_out_tensor_list) in "aclnn_foreach_maximum_scalar_list.h";
            /// Of each tensor of a list: the smaller of two, where `b` is one number.
            operator aclnnForeachMinimumScalar, aclnnForeachMinimumScalarGetWorkspaceSize(x: tensor_list, scalar: tensor, out: const_out_tensor_list) in "aclnn_foreach_minimum_scalar.h";
            /// Of each tensor of a list: the smaller of two, where `b` is a number of the host.
            operator aclnnForeachMinimumScalarV2, aclnnForeachMinimumScalarV2GetWorkspaceSize(x: tensor_list, scalar: scalar, out: out_tensor_list) in "aclnn_foreach_minimum_scalar_v2.h";
            /// Of each tensor of a list: the smaller of two, where `b` has a number of the host for each.
            operator aclnnForeachMinimumScalarList, aclnnForeachMinimumScalarListGetWorkspaceSize(x: tensor_list, scalars: scalar_list, out: const_out_tensor_list) in "aclnn_foreach_minimum_scalar_list.h";
            /// Of each tensor of a list: `a ^ b`, where `b` is one number.
            operator aclnnForeachPowScalar, aclnnForeachPowScalarGetWorkspaceSize(x: tensor_list, scalar: tensor, out: const_out_tensor_list) in "aclnn_foreach_pow_scalar.h";
            /// Of each tensor of a list: `a ^ b`, where `b` is a number of the host.
            operator aclnnForeachPowScalarV2, aclnnForeachPowScalarV2GetWorkspaceSize(x: tensor_list, scalar: scalar, out: out_tensor_list) in "aclnn_foreach_pow_scalar_v2.h";
            /// Of each tensor of a list: `a ^ b`, where `b` has a number of the host for each.
            operator aclnnForeachPowScalarList, aclnnForeachPowScalarListGetWorkspaceSize(x: tensor_list, scalars: scalar_list, out: const_out_tensor_list) in "aclnn_foreach_pow_scalar_list.h";
            /// Of each tensor of a list: `b ^ a`, where `b` is a number of the host.
            operator aclnnForeachPowScalarAndTensor, aclnnForeachPowScalarAndTensorGetWorkspaceSize(scalar: scalar, x: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_pow_scalar_and_tensor.h";
            /// Of each tensor of a list: `a + d * b / c`, where `d` has a number for each.
            operator aclnnForeachAddcdivList, aclnnForeachAddcdivListGetWorkspaceSize(x1: tensor_list, x2: tensor_list, x3: tensor_list, scalars: tensor, out: const_out_tensor_list) in "aclnn_foreach_addcdiv_list.h";
            /// Of each tensor of a list: `a + d * b / c`, where `d` is one number.
            operator aclnnForeachAddcdivScalar, aclnnForeachAddcdivScalarGetWorkspaceSize(x1: tensor_list, x2: tensor_list, x3: tensor_list, scalar: tensor, out: const_out_tensor_list) in "aclnn_foreach_addcdiv_scalar.h";
            /// Of each tensor of a list: `a + d * b / c`, where `d` is a number of the host.
            operator aclnnForeachAddcdivScalarV2, aclnnForeachAddcdivScalarV2GetWorkspaceSize(x1: tensor_list, x2: tensor_list, x3: tensor_list, scalar: scalar, out: out_tensor_list) in "aclnn_foreach_addcdiv_scalar_v2.h";
            /// Of each tensor of a list: `a + d * b / c`, where `d` has a number for each.
            operator aclnnForeachAddcdivScalarList, aclnnForeachAddcdivScalarListGetWorkspaceSize(x1: tensor_list, x2: tensor_list, x3: tensor_list, scalars: tensor, out: const_out_tensor_list) in "aclnn_foreach_addcdiv_scalar_list.h";
            /// Of each tensor of a list: `a + d * b * c`, where `d` has a number for each.
            operator aclnnForeachAddcmulList, aclnnForeachAddcmulListGetWorkspaceSize(x1: tensor_list, x2: tensor_list, x3: tensor_list, scalars: tensor, out: const_out_tensor_list) in "aclnn_foreach_addcmul_list.h";
            /// Of each tensor of a list: `a + d * b * c`, where `d` is one number.
            operator aclnnForeachAddcmulScalar, aclnnForeachAddcmulScalarGetWorkspaceSize(x1: tensor_list, x2: tensor_list, x3: tensor_list, scalar: tensor, out: const_out_tensor_list) in "aclnn_foreach_addcmul_scalar.h";
            /// Of each tensor of a list: `a + d * b * c`, where `d` is a number of the host.
            operator aclnnForeachAddcmulScalarV2, aclnnForeachAddcmulScalarV2GetWorkspaceSize(x1: tensor_list, x2: tensor_list, x3: tensor_list, scalar: scalar, out: out_tensor_list) in "aclnn_foreach_addcmul_scalar_v2.h";
            /// Of each tensor of a list: `a + d * b * c`, where `d` has a number for each.
            operator aclnnForeachAddcmulScalarList, aclnnForeachAddcmulScalarListGetWorkspaceSize(x1: tensor_list, x2: tensor_list, x3: tensor_list, scalars: tensor, out: const_out_tensor_list) in "aclnn_foreach_addcmul_scalar_list.h";
            /// Of each tensor of a list: the number at a share of the way from one to another.
            operator aclnnForeachLerpList, aclnnForeachLerpListGetWorkspaceSize(x1: tensor_list, x2: tensor_list, weights: tensor_list, out: const_out_tensor_list) in "aclnn_foreach_lerp_list.h";
            /// Of each tensor of a list: the number at a share of the way from one to another, a number of the host.
            operator aclnnForeachLerpScalar, aclnnForeachLerpScalarGetWorkspaceSize(x1: tensor_list, x2: tensor_list, weight: scalar, out: const_out_tensor_list) in "aclnn_foreach_lerp_scalar.h";
            /// Of each tensor of a list: the root of the sum of powers, as one number.
            operator aclnnForeachNorm, aclnnForeachNormGetWorkspaceSize(x: tensor_list, scalar: scalar, out: const_out_tensor_list) in "aclnn_foreach_norm.h";
            /// Of each tensor of a list: whole numbers, in the way that a number says.
            operator aclnnForeachRoundOffNumber, aclnnForeachRoundOffNumberGetWorkspaceSize(x: tensor_list, roundMode: tensor, out: const_out_tensor_list) in "aclnn_foreach_round_off_number.h";
            /// Of each tensor of a list: whole numbers, in the way that a number of the host says.
            #[newer]
            operator aclnnForeachRoundOffNumberV2, aclnnForeachRoundOffNumberV2GetWorkspaceSize(x: tensor_list, roundMode: scalar, out: out_tensor_list) in "aclnn_foreach_round_off_number_v2.h";
            /// In place, of each tensor of a list: the angle whose cosine it is.
            #[newer]
            operator aclnnForeachACosInplace, aclnnForeachACosInplaceGetWorkspaceSize(x: const_inout_tensor_list) in "aclnn_foreach_a_cos_inplace.h";
            /// In place, of each tensor of a list: the natural logarithm.
            #[newer]
            operator aclnnForeachLogInplace, aclnnForeachLogInplaceGetWorkspaceSize(x: const_inout_tensor_list) in "aclnn_foreach_log_inplace.h";
            /// In place, of each tensor of a list: 0.
            operator aclnnForeachZeroInplace, aclnnForeachZeroInplaceGetWorkspaceSize(x: const_inout_tensor_list) in "aclnn_foreach_zero_inplace.h";
            /// In place, of each tensor of a list: `x1 + alpha * x2`.
            #[newer]
            operator aclnnForeachAddListInplace, aclnnForeachAddListInplaceGetWorkspaceSize(x1: const_inout_tensor_list, x2: tensor_list, alpha: tensor) in "aclnn_foreach_add_list_inplace.h";
            /// In place, of each tensor of a list: `x1 - alpha * x2`.
            #[newer]
            operator aclnnForeachSubListInplace, aclnnForeachSubListInplaceGetWorkspaceSize(x1: const_inout_tensor_list, x2: tensor_list, alpha: tensor) in "aclnn_foreach_sub_list_inplace.h";
            /// In place, of each tensor of a list: `x1 * x2`.
            #[newer]
            operator aclnnForeachMulListInplace, aclnnForeachMulListInplaceGetWorkspaceSize(x1: const_inout_tensor_list, x2: tensor_list) in "aclnn_foreach_mul_list_inplace.h";
            /// In place, of each tensor of a list: `x1 / x2`.
            #[newer]
            operator aclnnForeachDivListInplace, aclnnForeachDivListInplaceGetWorkspaceSize(x1: const_inout_tensor_list, x2: tensor_list) in "aclnn_foreach_div_list_inplace.h";
            /// In place, of each tensor of a list: `x * scalar`.
            #[newer]
            operator aclnnForeachMulScalarInplace, aclnnForeachMulScalarInplaceGetWorkspaceSize(x: const_inout_tensor_list, scalar: tensor) in "aclnn_foreach_mul_scalar_inplace.h";
            /// In place, of each tensor of a list: `x - scalar`.
            #[newer]
            operator aclnnForeachSubScalarInplace, aclnnForeachSubScalarInplaceGetWorkspaceSize(x: const_inout_tensor_list, scalar: tensor) in "aclnn_foreach_sub_scalar_inplace.h";
            /// In place, of each tensor of a list: its product with `invScale`. `foundInf` becomes 1 if one of them is not finite.
            operator aclnnForeachNonFiniteCheckAndUnscale, aclnnForeachNonFiniteCheckAndUnscaleGetWorkspaceSize(scaledGrads: const_inout_tensor_list, foundInf: const_inout_tensor, invScale: tensor) in "aclnn_foreach_non_finite_check_and_unscale.h";
        } }
    };
}
