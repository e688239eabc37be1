//! Functions of each tensor of a list.

use ascendcl_sys as sys;

use crate::error::{Result, Usage};
use crate::op::element::{Element, Floating, Numeric};
use crate::op::parameter::{Scalar, Scalars};
use crate::op::shape::Dims;
use crate::op::table::functions;
use crate::op::table::quantize::RoundMode;
use crate::op::tensor::Tensor;

functions! {
    "The lists have equally many tensors, and those at one place have one shape. The outputs come back as a list. A card takes \
     up to 256 tensors in a list.";
    /// Prepares for each tensor of a list: the angle whose cosine it is (`aclnnForeachAcos`).
    #[doc(alias("aclnnForeachAcos", "aclnnForeachAcosGetWorkspaceSize"))]
    ForeachAcos<T: Floating>, foreach_acos(x: dense_list T, out: out_list T)
        = aclnnForeachAcos, aclnnForeachAcosGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the angle whose sine it is (`aclnnForeachAsin`).
    #[doc(alias("aclnnForeachAsin", "aclnnForeachAsinGetWorkspaceSize"))]
    ForeachAsin<T: Floating>, foreach_asin(x: dense_list T, out: out_list T)
        = aclnnForeachAsin, aclnnForeachAsinGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the angle whose tangent it is (`aclnnForeachAtan`).
    #[doc(alias("aclnnForeachAtan", "aclnnForeachAtanGetWorkspaceSize"))]
    ForeachAtan<T: Floating>, foreach_atan(x: dense_list T, out: out_list T)
        = aclnnForeachAtan, aclnnForeachAtanGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the cosine (`aclnnForeachCos`).
    #[doc(alias("aclnnForeachCos", "aclnnForeachCosGetWorkspaceSize"))]
    ForeachCos<T: Floating>, foreach_cos(x: dense_list T, out: out_list T)
        = aclnnForeachCos, aclnnForeachCosGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the hyperbolic cosine (`aclnnForeachCosh`).
    #[doc(alias("aclnnForeachCosh", "aclnnForeachCoshGetWorkspaceSize"))]
    ForeachCosh<T: Floating>, foreach_cosh(x: dense_list T, out: out_list T)
        = aclnnForeachCosh, aclnnForeachCoshGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the error function (`aclnnForeachErf`).
    #[doc(alias("aclnnForeachErf", "aclnnForeachErfGetWorkspaceSize"))]
    ForeachErf<T: Floating>, foreach_erf(x: dense_list T, out: out_list T)
        = aclnnForeachErf, aclnnForeachErfGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: 1 minus the error function (`aclnnForeachErfc`).
    #[doc(alias("aclnnForeachErfc", "aclnnForeachErfcGetWorkspaceSize"))]
    ForeachErfc<T: Floating>, foreach_erfc(x: dense_list T, out: out_list T)
        = aclnnForeachErfc, aclnnForeachErfcGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the exponential (`aclnnForeachExp`).
    #[doc(alias("aclnnForeachExp", "aclnnForeachExpGetWorkspaceSize"))]
    ForeachExp<T: Floating>, foreach_exp(x: dense_list T, out: out_list T)
        = aclnnForeachExp, aclnnForeachExpGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the exponential minus 1 (`aclnnForeachExpm1`).
    #[doc(alias("aclnnForeachExpm1", "aclnnForeachExpm1GetWorkspaceSize"))]
    ForeachExpm1<T: Floating>, foreach_expm1(x: dense_list T, out: out_list T)
        = aclnnForeachExpm1, aclnnForeachExpm1GetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the natural logarithm (`aclnnForeachLog`).
    #[doc(alias("aclnnForeachLog", "aclnnForeachLogGetWorkspaceSize"))]
    ForeachLog<T: Floating>, foreach_log(x: dense_list T, out: out_list T)
        = aclnnForeachLog, aclnnForeachLogGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the logarithm to the base 10 (`aclnnForeachLog10`).
    #[doc(alias("aclnnForeachLog10", "aclnnForeachLog10GetWorkspaceSize"))]
    ForeachLog10<T: Floating>, foreach_log10(x: dense_list T, out: out_list T)
        = aclnnForeachLog10, aclnnForeachLog10GetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the natural logarithm of 1 more (`aclnnForeachLog1p`).
    #[doc(alias("aclnnForeachLog1p", "aclnnForeachLog1pGetWorkspaceSize"))]
    ForeachLog1p<T: Floating>, foreach_log1p(x: dense_list T, out: out_list T)
        = aclnnForeachLog1p, aclnnForeachLog1pGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the logarithm to the base 2 (`aclnnForeachLog2`).
    #[doc(alias("aclnnForeachLog2", "aclnnForeachLog2GetWorkspaceSize"))]
    ForeachLog2<T: Floating>, foreach_log2(x: dense_list T, out: out_list T)
        = aclnnForeachLog2, aclnnForeachLog2GetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: 1 divided by it (`aclnnForeachReciprocal`).
    #[doc(alias("aclnnForeachReciprocal", "aclnnForeachReciprocalGetWorkspaceSize"))]
    ForeachReciprocal<T: Floating>, foreach_reciprocal(x: dense_list T, out: out_list T)
        = aclnnForeachReciprocal, aclnnForeachReciprocalGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the sigmoid (`aclnnForeachSigmoid`).
    #[doc(alias("aclnnForeachSigmoid", "aclnnForeachSigmoidGetWorkspaceSize"))]
    ForeachSigmoid<T: Floating>, foreach_sigmoid(x: dense_list T, out: out_list T)
        = aclnnForeachSigmoid, aclnnForeachSigmoidGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the sine (`aclnnForeachSin`).
    #[doc(alias("aclnnForeachSin", "aclnnForeachSinGetWorkspaceSize"))]
    ForeachSin<T: Floating>, foreach_sin(x: dense_list T, out: out_list T)
        = aclnnForeachSin, aclnnForeachSinGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the hyperbolic sine (`aclnnForeachSinh`).
    #[doc(alias("aclnnForeachSinh", "aclnnForeachSinhGetWorkspaceSize"))]
    ForeachSinh<T: Floating>, foreach_sinh(x: dense_list T, out: out_list T)
        = aclnnForeachSinh, aclnnForeachSinhGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the square root (`aclnnForeachSqrt`).
    #[doc(alias("aclnnForeachSqrt", "aclnnForeachSqrtGetWorkspaceSize"))]
    ForeachSqrt<T: Floating>, foreach_sqrt(x: dense_list T, out: out_list T)
        = aclnnForeachSqrt, aclnnForeachSqrtGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the tangent (`aclnnForeachTan`).
    #[doc(alias("aclnnForeachTan", "aclnnForeachTanGetWorkspaceSize"))]
    ForeachTan<T: Floating>, foreach_tan(x: dense_list T, out: out_list T)
        = aclnnForeachTan, aclnnForeachTanGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the hyperbolic tangent (`aclnnForeachTanh`).
    #[doc(alias("aclnnForeachTanh", "aclnnForeachTanhGetWorkspaceSize"))]
    ForeachTanh<T: Floating>, foreach_tanh(x: dense_list T, out: out_list T)
        = aclnnForeachTanh, aclnnForeachTanhGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the absolute value (`aclnnForeachAbs`).
    #[doc(alias("aclnnForeachAbs", "aclnnForeachAbsGetWorkspaceSize"))]
    ForeachAbs<T: Numeric>, foreach_abs(x: dense_list T, out: out_list T)
        = aclnnForeachAbs, aclnnForeachAbsGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the number with the other sign (`aclnnForeachNeg`).
    #[doc(alias("aclnnForeachNeg", "aclnnForeachNegGetWorkspaceSize"))]
    ForeachNeg<T: Numeric>, foreach_neg(x: dense_list T, out: out_list T)
        = aclnnForeachNeg, aclnnForeachNegGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: its sign as a number (`aclnnForeachSign`).
    #[doc(alias("aclnnForeachSign", "aclnnForeachSignGetWorkspaceSize"))]
    ForeachSign<T: Numeric>, foreach_sign(x: dense_list T, out: out_list T)
        = aclnnForeachSign, aclnnForeachSignGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the number itself (`aclnnForeachCopy`).
    #[doc(alias("aclnnForeachCopy", "aclnnForeachCopyGetWorkspaceSize"))]
    ForeachCopy<T: Numeric>, foreach_copy(x: dense_list T, out: out_list T)
        = aclnnForeachCopy, aclnnForeachCopyGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x1 + alpha * x2` (`aclnnForeachAddList`).
    #[doc(alias("aclnnForeachAddList", "aclnnForeachAddListGetWorkspaceSize"))]
    ForeachAddList<T: Numeric>, foreach_add_list(x1: dense_list T, x2: dense_list T, alpha: dense T, out: out_list T)
        = aclnnForeachAddList, aclnnForeachAddListGetWorkspaceSize, |op| check_number(op, &[x1, x2], &alpha.dims, &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x1 + alpha * x2` with a number of the host (`aclnnForeachAddListV2`).
    #[doc(alias("aclnnForeachAddListV2", "aclnnForeachAddListV2GetWorkspaceSize"))]
    ForeachAddListV2<T: Numeric>, foreach_add_list_v2(x1: dense_list T, x2: dense_list T, alpha: scalar T, out: out_list T)
        = aclnnForeachAddListV2, aclnnForeachAddListV2GetWorkspaceSize, |op| check_each(op, &[x1, x2], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x1 - alpha * x2` (`aclnnForeachSubList`).
    #[doc(alias("aclnnForeachSubList", "aclnnForeachSubListGetWorkspaceSize"))]
    ForeachSubList<T: Numeric>, foreach_sub_list(x1: dense_list T, x2: dense_list T, alpha: dense T, out: out_list T)
        = aclnnForeachSubList, aclnnForeachSubListGetWorkspaceSize, |op| check_number(op, &[x1, x2], &alpha.dims, &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x1 - alpha * x2` with a number of the host (`aclnnForeachSubListV2`).
    #[doc(alias("aclnnForeachSubListV2", "aclnnForeachSubListV2GetWorkspaceSize"))]
    ForeachSubListV2<T: Numeric>, foreach_sub_list_v2(x1: dense_list T, x2: dense_list T, alpha: scalar T, out: out_list T)
        = aclnnForeachSubListV2, aclnnForeachSubListV2GetWorkspaceSize, |op| check_each(op, &[x1, x2], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x1 * x2` (`aclnnForeachMulList`).
    #[doc(alias("aclnnForeachMulList", "aclnnForeachMulListGetWorkspaceSize"))]
    ForeachMulList<T: Numeric>, foreach_mul_list(x1: dense_list T, x2: dense_list T, out: out_list T)
        = aclnnForeachMulList, aclnnForeachMulListGetWorkspaceSize, |op| check_each(op, &[x1, x2], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x1 / x2` (`aclnnForeachDivList`).
    #[doc(alias("aclnnForeachDivList", "aclnnForeachDivListGetWorkspaceSize"))]
    ForeachDivList<T: Floating>, foreach_div_list(x1: dense_list T, x2: dense_list T, out: out_list T)
        = aclnnForeachDivList, aclnnForeachDivListGetWorkspaceSize, |op| check_each(op, &[x1, x2], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `max(x1, x2)` (`aclnnForeachMaximumList`).
    #[doc(alias("aclnnForeachMaximumList", "aclnnForeachMaximumListGetWorkspaceSize"))]
    ForeachMaximumList<T: Numeric>, foreach_maximum_list(x1: dense_list T, x2: dense_list T, out: out_list T)
        = aclnnForeachMaximumList, aclnnForeachMaximumListGetWorkspaceSize, |op| check_each(op, &[x1, x2], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `min(x1, x2)` (`aclnnForeachMinimumList`).
    #[doc(alias("aclnnForeachMinimumList", "aclnnForeachMinimumListGetWorkspaceSize"))]
    ForeachMinimumList<T: Numeric>, foreach_minimum_list(x1: dense_list T, x2: dense_list T, out: out_list T)
        = aclnnForeachMinimumList, aclnnForeachMinimumListGetWorkspaceSize, |op| check_each(op, &[x1, x2], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x1 ^ x2` (`aclnnForeachPowList`).
    #[doc(alias("aclnnForeachPowList", "aclnnForeachPowListGetWorkspaceSize"))]
    ForeachPowList<T: Floating>, foreach_pow_list(x1: dense_list T, x2: dense_list T, out: out_list T)
        = aclnnForeachPowList, aclnnForeachPowListGetWorkspaceSize, |op| check_each(op, &[x1, x2], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x + scalar`, where `scalar` is one number (`aclnnForeachAddScalar`).
    #[doc(alias("aclnnForeachAddScalar", "aclnnForeachAddScalarGetWorkspaceSize"))]
    ForeachAddScalar<T: Numeric>, foreach_add_scalar(x: dense_list T, scalar: dense T, out: out_list T)
        = aclnnForeachAddScalar, aclnnForeachAddScalarGetWorkspaceSize, |op| check_number(op, &[x], &scalar.dims, &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x + scalar`, where `scalar` is a number of the host (`aclnnForeachAddScalarV2`).
    #[doc(alias("aclnnForeachAddScalarV2", "aclnnForeachAddScalarV2GetWorkspaceSize"))]
    ForeachAddScalarV2<T: Numeric>, foreach_add_scalar_v2(x: dense_list T, scalar: scalar T, out: out_list T)
        = aclnnForeachAddScalarV2, aclnnForeachAddScalarV2GetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x + scalars`, where `scalars` has a number of the host for each
    /// (`aclnnForeachAddScalarList`).
    #[doc(alias("aclnnForeachAddScalarList", "aclnnForeachAddScalarListGetWorkspaceSize"))]
    ForeachAddScalarList<T: Numeric>,
        foreach_add_scalar_list(x: dense_list T, scalars: [&[T]: scalars => Scalars<T>], out: out_list T)
        = aclnnForeachAddScalarList, aclnnForeachAddScalarListGetWorkspaceSize, |op| check_numbers(op, &[x], scalars.len(), &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x - scalar`, where `scalar` is one number (`aclnnForeachSubScalar`).
    #[doc(alias("aclnnForeachSubScalar", "aclnnForeachSubScalarGetWorkspaceSize"))]
    ForeachSubScalar<T: Numeric>, foreach_sub_scalar(x: dense_list T, scalar: dense T, out: out_list T)
        = aclnnForeachSubScalar, aclnnForeachSubScalarGetWorkspaceSize, |op| check_number(op, &[x], &scalar.dims, &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x - scalar`, where `scalar` is a number of the host (`aclnnForeachSubScalarV2`).
    #[doc(alias("aclnnForeachSubScalarV2", "aclnnForeachSubScalarV2GetWorkspaceSize"))]
    ForeachSubScalarV2<T: Numeric>, foreach_sub_scalar_v2(x: dense_list T, scalar: scalar T, out: out_list T)
        = aclnnForeachSubScalarV2, aclnnForeachSubScalarV2GetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x - scalars`, where `scalars` has a number of the host for each
    /// (`aclnnForeachSubScalarList`).
    #[doc(alias("aclnnForeachSubScalarList", "aclnnForeachSubScalarListGetWorkspaceSize"))]
    ForeachSubScalarList<T: Numeric>,
        foreach_sub_scalar_list(x: dense_list T, scalars: [&[T]: scalars => Scalars<T>], out: out_list T)
        = aclnnForeachSubScalarList, aclnnForeachSubScalarListGetWorkspaceSize, |op| check_numbers(op, &[x], scalars.len(), &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x * scalar`, where `scalar` is one number (`aclnnForeachMulScalar`).
    #[doc(alias("aclnnForeachMulScalar", "aclnnForeachMulScalarGetWorkspaceSize"))]
    ForeachMulScalar<T: Numeric>, foreach_mul_scalar(x: dense_list T, scalar: dense T, out: out_list T)
        = aclnnForeachMulScalar, aclnnForeachMulScalarGetWorkspaceSize, |op| check_number(op, &[x], &scalar.dims, &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x * scalar`, where `scalar` is a number of the host (`aclnnForeachMulScalarV2`).
    #[doc(alias("aclnnForeachMulScalarV2", "aclnnForeachMulScalarV2GetWorkspaceSize"))]
    ForeachMulScalarV2<T: Numeric>, foreach_mul_scalar_v2(x: dense_list T, scalar: scalar T, out: out_list T)
        = aclnnForeachMulScalarV2, aclnnForeachMulScalarV2GetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x * scalars`, where `scalars` has a number of the host for each
    /// (`aclnnForeachMulScalarList`).
    #[doc(alias("aclnnForeachMulScalarList", "aclnnForeachMulScalarListGetWorkspaceSize"))]
    ForeachMulScalarList<T: Numeric>,
        foreach_mul_scalar_list(x: dense_list T, scalars: [&[T]: scalars => Scalars<T>], out: out_list T)
        = aclnnForeachMulScalarList, aclnnForeachMulScalarListGetWorkspaceSize, |op| check_numbers(op, &[x], scalars.len(), &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x / scalar`, where `scalar` is one number (`aclnnForeachDivScalar`).
    #[doc(alias("aclnnForeachDivScalar", "aclnnForeachDivScalarGetWorkspaceSize"))]
    ForeachDivScalar<T: Floating>, foreach_div_scalar(x: dense_list T, scalar: dense T, out: out_list T)
        = aclnnForeachDivScalar, aclnnForeachDivScalarGetWorkspaceSize, |op| check_number(op, &[x], &scalar.dims, &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x / scalar`, where `scalar` is a number of the host (`aclnnForeachDivScalarV2`).
    #[doc(alias("aclnnForeachDivScalarV2", "aclnnForeachDivScalarV2GetWorkspaceSize"))]
    ForeachDivScalarV2<T: Floating>, foreach_div_scalar_v2(x: dense_list T, scalar: scalar f32, out: out_list T)
        = aclnnForeachDivScalarV2, aclnnForeachDivScalarV2GetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x / scalars`, where `scalars` has a number of the host for each
    /// (`aclnnForeachDivScalarList`).
    #[doc(alias("aclnnForeachDivScalarList", "aclnnForeachDivScalarListGetWorkspaceSize"))]
    ForeachDivScalarList<T: Floating>,
        foreach_div_scalar_list(x: dense_list T, scalars: [&[T]: scalars => Scalars<T>], out: out_list T)
        = aclnnForeachDivScalarList, aclnnForeachDivScalarListGetWorkspaceSize, |op| check_numbers(op, &[x], scalars.len(), &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `max(x, scalar)`, where `scalar` is one number (`aclnnForeachMaximumScalar`).
    #[doc(alias("aclnnForeachMaximumScalar", "aclnnForeachMaximumScalarGetWorkspaceSize"))]
    ForeachMaximumScalar<T: Numeric>, foreach_maximum_scalar(x: dense_list T, scalar: dense T, out: out_list T)
        = aclnnForeachMaximumScalar, aclnnForeachMaximumScalarGetWorkspaceSize, |op| check_number(op, &[x], &scalar.dims, &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `max(x, scalar)`, where `scalar` is a number of the host
    /// (`aclnnForeachMaximumScalarV2`).
    #[doc(alias("aclnnForeachMaximumScalarV2", "aclnnForeachMaximumScalarV2GetWorkspaceSize"))]
    ForeachMaximumScalarV2<T: Numeric>, foreach_maximum_scalar_v2(x: dense_list T, scalar: scalar T, out: out_list T)
        = aclnnForeachMaximumScalarV2, aclnnForeachMaximumScalarV2GetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `max(x, scalars)`, where `scalars` has a number of the host for each
    /// (`aclnnForeachMaximumScalarList`).
    #[doc(alias("aclnnForeachMaximumScalarList", "aclnnForeachMaximumScalarListGetWorkspaceSize"))]
    ForeachMaximumScalarList<T: Numeric>,
        foreach_maximum_scalar_list(x: dense_list T, scalars: [&[T]: scalars => Scalars<T>], out: out_list T)
        = aclnnForeachMaximumScalarList, aclnnForeachMaximumScalarListGetWorkspaceSize, |op| check_numbers(op, &[x], scalars.len(), &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `min(x, scalar)`, where `scalar` is one number (`aclnnForeachMinimumScalar`).
    #[doc(alias("aclnnForeachMinimumScalar", "aclnnForeachMinimumScalarGetWorkspaceSize"))]
    ForeachMinimumScalar<T: Numeric>, foreach_minimum_scalar(x: dense_list T, scalar: dense T, out: out_list T)
        = aclnnForeachMinimumScalar, aclnnForeachMinimumScalarGetWorkspaceSize, |op| check_number(op, &[x], &scalar.dims, &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `min(x, scalar)`, where `scalar` is a number of the host
    /// (`aclnnForeachMinimumScalarV2`).
    #[doc(alias("aclnnForeachMinimumScalarV2", "aclnnForeachMinimumScalarV2GetWorkspaceSize"))]
    ForeachMinimumScalarV2<T: Numeric>, foreach_minimum_scalar_v2(x: dense_list T, scalar: scalar T, out: out_list T)
        = aclnnForeachMinimumScalarV2, aclnnForeachMinimumScalarV2GetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `min(x, scalars)`, where `scalars` has a number of the host for each
    /// (`aclnnForeachMinimumScalarList`).
    #[doc(alias("aclnnForeachMinimumScalarList", "aclnnForeachMinimumScalarListGetWorkspaceSize"))]
    ForeachMinimumScalarList<T: Numeric>,
        foreach_minimum_scalar_list(x: dense_list T, scalars: [&[T]: scalars => Scalars<T>], out: out_list T)
        = aclnnForeachMinimumScalarList, aclnnForeachMinimumScalarListGetWorkspaceSize, |op| check_numbers(op, &[x], scalars.len(), &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x ^ scalar`, where `scalar` is one number (`aclnnForeachPowScalar`).
    #[doc(alias("aclnnForeachPowScalar", "aclnnForeachPowScalarGetWorkspaceSize"))]
    ForeachPowScalar<T: Floating>, foreach_pow_scalar(x: dense_list T, scalar: dense T, out: out_list T)
        = aclnnForeachPowScalar, aclnnForeachPowScalarGetWorkspaceSize, |op| check_number(op, &[x], &scalar.dims, &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x ^ scalar`, where `scalar` is a number of the host (`aclnnForeachPowScalarV2`).
    #[doc(alias("aclnnForeachPowScalarV2", "aclnnForeachPowScalarV2GetWorkspaceSize"))]
    ForeachPowScalarV2<T: Floating>, foreach_pow_scalar_v2(x: dense_list T, scalar: scalar f32, out: out_list T)
        = aclnnForeachPowScalarV2, aclnnForeachPowScalarV2GetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x ^ scalars`, where `scalars` has a number of the host for each
    /// (`aclnnForeachPowScalarList`).
    #[doc(alias("aclnnForeachPowScalarList", "aclnnForeachPowScalarListGetWorkspaceSize"))]
    ForeachPowScalarList<T: Floating>,
        foreach_pow_scalar_list(x: dense_list T, scalars: [&[T]: scalars => Scalars<T>], out: out_list T)
        = aclnnForeachPowScalarList, aclnnForeachPowScalarListGetWorkspaceSize, |op| check_numbers(op, &[x], scalars.len(), &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `scalar ^ x`, where `scalar` is a number of the host (`aclnnForeachPowScalarAndTensor`).
    #[doc(alias("aclnnForeachPowScalarAndTensor", "aclnnForeachPowScalarAndTensorGetWorkspaceSize"))]
    ForeachPowScalarAndTensor<T: Floating>,
        foreach_pow_scalar_and_tensor(scalar: scalar f32, x: dense_list T, out: out_list T)
        = aclnnForeachPowScalarAndTensor, aclnnForeachPowScalarAndTensorGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x1 + scalars * x2 / x3`, where `scalars` has a number for each (`aclnnForeachAddcdivList`).
    #[doc(alias("aclnnForeachAddcdivList", "aclnnForeachAddcdivListGetWorkspaceSize"))]
    ForeachAddcdivList<T: Floating>,
        foreach_addcdiv_list(x1: dense_list T, x2: dense_list T, x3: dense_list T, scalars: dense T, out: out_list T)
        = aclnnForeachAddcdivList, aclnnForeachAddcdivListGetWorkspaceSize, |op| check_number(op, &[x1, x2, x3], &scalars.dims, &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x1 + scalar * x2 / x3`, where `scalar` is one number (`aclnnForeachAddcdivScalar`).
    #[doc(alias("aclnnForeachAddcdivScalar", "aclnnForeachAddcdivScalarGetWorkspaceSize"))]
    ForeachAddcdivScalar<T: Floating>,
        foreach_addcdiv_scalar(x1: dense_list T, x2: dense_list T, x3: dense_list T, scalar: dense T, out: out_list T)
        = aclnnForeachAddcdivScalar, aclnnForeachAddcdivScalarGetWorkspaceSize, |op| check_number(op, &[x1, x2, x3], &scalar.dims, &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x1 + scalar * x2 / x3`, where `scalar` is a number of the host
    /// (`aclnnForeachAddcdivScalarV2`).
    #[doc(alias("aclnnForeachAddcdivScalarV2", "aclnnForeachAddcdivScalarV2GetWorkspaceSize"))]
    ForeachAddcdivScalarV2<T: Floating>,
        foreach_addcdiv_scalar_v2(x1: dense_list T, x2: dense_list T, x3: dense_list T, scalar: scalar f32, out: out_list T)
        = aclnnForeachAddcdivScalarV2, aclnnForeachAddcdivScalarV2GetWorkspaceSize, |op| check_each(op, &[x1, x2, x3], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x1 + scalars * x2 / x3`, where `scalars` has a number for each
    /// (`aclnnForeachAddcdivScalarList`).
    #[doc(alias("aclnnForeachAddcdivScalarList", "aclnnForeachAddcdivScalarListGetWorkspaceSize"))]
    ForeachAddcdivScalarList<T: Floating>,
        foreach_addcdiv_scalar_list(x1: dense_list T, x2: dense_list T, x3: dense_list T, scalars: dense T, out: out_list T)
        = aclnnForeachAddcdivScalarList, aclnnForeachAddcdivScalarListGetWorkspaceSize, |op| check_number(op, &[x1, x2, x3], &scalars.dims, &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x1 + scalars * x2 * x3`, where `scalars` has a number for each (`aclnnForeachAddcmulList`).
    #[doc(alias("aclnnForeachAddcmulList", "aclnnForeachAddcmulListGetWorkspaceSize"))]
    ForeachAddcmulList<T: Floating>,
        foreach_addcmul_list(x1: dense_list T, x2: dense_list T, x3: dense_list T, scalars: dense T, out: out_list T)
        = aclnnForeachAddcmulList, aclnnForeachAddcmulListGetWorkspaceSize, |op| check_number(op, &[x1, x2, x3], &scalars.dims, &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x1 + scalar * x2 * x3`, where `scalar` is one number (`aclnnForeachAddcmulScalar`).
    #[doc(alias("aclnnForeachAddcmulScalar", "aclnnForeachAddcmulScalarGetWorkspaceSize"))]
    ForeachAddcmulScalar<T: Floating>,
        foreach_addcmul_scalar(x1: dense_list T, x2: dense_list T, x3: dense_list T, scalar: dense T, out: out_list T)
        = aclnnForeachAddcmulScalar, aclnnForeachAddcmulScalarGetWorkspaceSize, |op| check_number(op, &[x1, x2, x3], &scalar.dims, &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x1 + scalar * x2 * x3`, where `scalar` is a number of the host
    /// (`aclnnForeachAddcmulScalarV2`).
    #[doc(alias("aclnnForeachAddcmulScalarV2", "aclnnForeachAddcmulScalarV2GetWorkspaceSize"))]
    ForeachAddcmulScalarV2<T: Floating>,
        foreach_addcmul_scalar_v2(x1: dense_list T, x2: dense_list T, x3: dense_list T, scalar: scalar f32, out: out_list T)
        = aclnnForeachAddcmulScalarV2, aclnnForeachAddcmulScalarV2GetWorkspaceSize, |op| check_each(op, &[x1, x2, x3], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: `x1 + scalars * x2 * x3`, where `scalars` has a number for each
    /// (`aclnnForeachAddcmulScalarList`).
    #[doc(alias("aclnnForeachAddcmulScalarList", "aclnnForeachAddcmulScalarListGetWorkspaceSize"))]
    ForeachAddcmulScalarList<T: Floating>,
        foreach_addcmul_scalar_list(x1: dense_list T, x2: dense_list T, x3: dense_list T, scalars: dense T, out: out_list T)
        = aclnnForeachAddcmulScalarList, aclnnForeachAddcmulScalarListGetWorkspaceSize, |op| check_number(op, &[x1, x2, x3], &scalars.dims, &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the number at the share `weights` of the way from `x1` to `x2` (`aclnnForeachLerpList`).
    #[doc(alias("aclnnForeachLerpList", "aclnnForeachLerpListGetWorkspaceSize"))]
    ForeachLerpList<T: Floating>,
        foreach_lerp_list(x1: dense_list T, x2: dense_list T, weights: dense_list T, out: out_list T)
        = aclnnForeachLerpList, aclnnForeachLerpListGetWorkspaceSize, |op| check_each(op, &[x1, x2, weights], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the number at the share `weight`, one of the host, of the way from `x1` to `x2`
    /// (`aclnnForeachLerpScalar`).
    #[doc(alias("aclnnForeachLerpScalar", "aclnnForeachLerpScalarGetWorkspaceSize"))]
    ForeachLerpScalar<T: Floating>,
        foreach_lerp_scalar(x1: dense_list T, x2: dense_list T, weight: scalar f32, out: out_list T)
        = aclnnForeachLerpScalar, aclnnForeachLerpScalarGetWorkspaceSize, |op| check_each(op, &[x1, x2], &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: the root of the sum of the powers of the magnitudes, with the exponent `order`, as one
    /// number (`aclnnForeachNorm`). An infinite exponent stands for the largest magnitude.
    #[doc(alias("aclnnForeachNorm", "aclnnForeachNormGetWorkspaceSize"))]
    ForeachNorm<T: Floating>, foreach_norm(x: dense_list T, order: scalar f32, out: out_list T)
        = aclnnForeachNorm, aclnnForeachNormGetWorkspaceSize, |op| check_ones(op, x, &out.shapes().collect::<Vec<_>>());
    /// Prepares for each tensor of a list: whole numbers (`aclnnForeachRoundOffNumber`). `way` has one number: 1 for the nearest one,
    /// the even one of two, 2 for the next one below, 3 for the next one above, 4 for the nearest one, the one of two that is
    /// farther from 0, 5 for the next one towards 0, and 6 for the nearest one, the odd one of two.
    #[doc(alias("aclnnForeachRoundOffNumber", "aclnnForeachRoundOffNumberGetWorkspaceSize"))]
    ForeachRoundOffNumber<T: Floating>, foreach_round_off_number(x: dense_list T, way: dense i8, out: out_list T)
        = aclnnForeachRoundOffNumber, aclnnForeachRoundOffNumberGetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>()).and_then(|()| check_way(op, &way.dims));
    /// Prepares for each tensor of a list: whole numbers (`aclnnForeachRoundOffNumberV2`).
    #[doc(alias("aclnnForeachRoundOffNumberV2", "aclnnForeachRoundOffNumberV2GetWorkspaceSize"))]
    ForeachRoundOffNumberV2<T: Floating>,
        foreach_round_off_number_v2(x: dense_list T, way: [RoundMode: number_of(way) => Scalar<i8>], out: out_list T)
        = aclnnForeachRoundOffNumberV2, aclnnForeachRoundOffNumberV2GetWorkspaceSize, |op| check_each(op, &[x], &out.shapes().collect::<Vec<_>>());
}

/// The number of a way to make whole numbers.
const fn number_of(way: RoundMode) -> i8 {
    match way {
        RoundMode::Round => 1,
        RoundMode::Floor => 2,
        RoundMode::Ceil => 3,
        RoundMode::Trunc => 5,
    }
}

/// Checks that a tensor has one number.
fn check_way(operator: &'static str, way: &Dims) -> Result<()> {
    way.check_number(operator, way)
}

/// Checks that there is one number for each tensor of a list.
fn check_ones<X, T: Element>(
    operator: &'static str,
    list: &[&Tensor<'_, X, T>],
    out: &[&Dims],
) -> Result<()> {
    let Some(first) = list.first() else {
        return Err(Usage::EmptyList { operator }.into());
    };
    if list.len() != out.len() {
        let numbers = [list.len(), out.len()].map(|len| len.cast_signed() as i64);
        let rule = "the lists have equally many tensors";
        return Err(first.dims.numbers(operator, &numbers, rule));
    }
    let mut pairs = list.iter().zip(out);
    pairs.try_for_each(|(tensor, out)| out.check_one(operator, &tensor.dims))
}

/// Checks that the tensors at each place of the lists have one shape.
fn check_each<X, T: Element>(
    operator: &'static str,
    lists: &[&[&Tensor<'_, X, T>]],
    out: &[&Dims],
) -> Result<()> {
    for list in lists {
        let Some(first) = list.first() else {
            return Err(Usage::EmptyList { operator }.into());
        };
        if list.len() != out.len() {
            let numbers = [list.len(), out.len()].map(|len| len.cast_signed() as i64);
            let rule = "the lists have equally many tensors";
            return Err(first.dims.numbers(operator, &numbers, rule));
        }
        for (tensor, out) in list.iter().zip(out) {
            out.check_same(operator, &tensor.dims)?;
        }
    }
    Ok(())
}

/// Checks the lists, and a tensor that has a number for all tensors or one for each.
fn check_number<X, T: Element>(
    operator: &'static str,
    lists: &[&[&Tensor<'_, X, T>]],
    number: &Dims,
    out: &[&Dims],
) -> Result<()> {
    let elements: i64 = number.sizes().iter().product();
    // CAST: a number of tensors.
    if elements == 1 || elements == out.len().cast_signed() as i64 {
        return check_each(operator, lists, out);
    }
    let rule = "the tensor has a number for all tensors, or one for each";
    Err(number.numbers(operator, number.sizes(), rule))
}

/// Checks the lists, and that there is a number for each tensor.
fn check_numbers<X, T: Element>(
    operator: &'static str,
    lists: &[&[&Tensor<'_, X, T>]],
    numbers: usize,
    out: &[&Dims],
) -> Result<()> {
    if let Some(first) = out.first()
        && numbers != out.len()
    {
        // CAST: numbers of elements.
        let numbers = [numbers, out.len()].map(|len| len.cast_signed() as i64);
        let rule = "there is a number for each tensor";
        return Err(first.numbers(operator, &numbers, rule));
    }
    check_each(operator, lists, out)
}
