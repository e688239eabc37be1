//! Further functions of elements, of rows and of matrices.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::{Floating, Numeric, Stepped};
use crate::op::shape::Dims;
use crate::op::table::combine::check_modulated;
use crate::op::table::functions;
use crate::op::table::network::check_halved;
use crate::op::table::norm::check_layers;
use crate::op::truth::Bool;

functions! {
    "A dimension counts from 0, or from the end by -1, -2 and so on.";
    /// Prepares the angle in radians of the point with the ordinate `a` and the abscissa `b`, in place (`aclnnInplaceAtan2`). The
    /// operand is lent for writing, by `tensor_mut`, and `b` broadcasts to it.
    #[doc(alias("aclnnInplaceAtan2", "aclnnInplaceAtan2GetWorkspaceSize"))]
    InplaceAtan2<T: Floating>, inplace_atan2(a: inout T, b: in T)
        = aclnnInplaceAtan2, aclnnInplaceAtan2GetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares for each element whether it equals `element`, or differs from it if `invert` (`aclnnIsInTensorScalar`).
    #[doc(alias("aclnnIsInTensorScalar", "aclnnIsInTensorScalarGetWorkspaceSize"))]
    IsInTensorScalar<T: Numeric>,
        is_in_tensor_scalar(a: in T, element: scalar T, unique: (false) bool, invert: attr bool, out: out Bool)
        = aclnnIsInTensorScalar, aclnnIsInTensorScalarGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares whether `element` is among the elements of `a`, or is not if `invert` (`aclnnIsInScalarTensor`). The output has
    /// no dimension.
    #[doc(alias("aclnnIsInScalarTensor", "aclnnIsInScalarTensorGetWorkspaceSize"))]
    IsInScalarTensor<T: Numeric>,
        is_in_scalar_tensor(element: scalar T, a: in T, unique: (false) bool, invert: attr bool, out: out Bool)
        = aclnnIsInScalarTensor, aclnnIsInScalarTensorGetWorkspaceSize, |op| out.dims.check_is(op, &a.dims, &[]);
    /// Prepares each number, or its product with the weight where it is negative (`aclnnPrelu`). There is one weight for all, or
    /// one for each channel, which is the second dimension.
    #[doc(alias("aclnnPrelu", "aclnnPreluGetWorkspaceSize"))]
    Prelu<T: Floating>, prelu(a: in T, weight: in T, out: out T)
        = aclnnPrelu, aclnnPreluGetWorkspaceSize, |op| check_weight(op, &a.dims, &weight.dims).and(out.dims.check_same(op, &a.dims));
    /// Prepares `l * r` of the halves of the last dimension, or 0 where `l` is at most `threshold`, which is one number
    /// (`aclnnFatreluMul`).
    #[doc(alias("aclnnFatreluMul", "aclnnFatreluMulGetWorkspaceSize"))]
    FatreluMul<T: Floating>, fatrelu_mul(a: in T, threshold: in T, out: out T)
        = aclnnFatreluMul, aclnnFatreluMulGetWorkspaceSize, |op| threshold.dims.check_number(op, &a.dims).and_then(|()| check_halved(op, &a.dims, -1, &[&out.dims]));
    /// Prepares powers of `base`, whose exponents have equal distances from `start` to `end` (`aclnnLogSpace`): as many as the
    /// vector `out` has elements.
    #[doc(alias("aclnnLogSpace", "aclnnLogSpaceGetWorkspaceSize"))]
    LogSpace<T: Stepped>,
        log_space(start: scalar T, end: scalar T, steps: (out.dims.size(0)) i64, base: attr f64, out: only_out T)
        = aclnnLogSpace, aclnnLogSpaceGetWorkspaceSize, |op| out.dims.check_rank(op, 1);
    /// Prepares the distances of each row of a matrix and each later one, the norms of the order `p` of their differences, as a
    /// vector (`aclnnPdistForward`).
    #[doc(alias("aclnnPdistForward", "aclnnPdistForwardGetWorkspaceSize"))]
    PdistForward<T: Floating>, pdist_forward(a: in T, p: scalar f32, out: out T)
        = aclnnPdistForward, aclnnPdistForwardGetWorkspaceSize, |op| check_pairs(op, &a.dims, &out.dims);
    /// Prepares `exp(cost)` of a matrix, with its rows and columns scaled in turn until all rows have one sum, and all columns
    /// (`aclnnSinkhorn`): a step changes the factors of the columns by at most `tolerance` then, in the mean. Without it, this is
    /// 0.0001.
    #[doc(alias("aclnnSinkhorn", "aclnnSinkhornGetWorkspaceSize"))]
    Sinkhorn<T: Floating>, sinkhorn(cost: in T, tolerance: maybe_scalar f32, out: out T)
        = aclnnSinkhorn, aclnnSinkhornGetWorkspaceSize, |op| cost.dims.check_rank(op, 2).and_then(|()| out.dims.check_same(op, &cost.dims));
    /// Prepares a bit for each element of a vector, 1 where it is not negative (`aclnnSignBitsPack`): the first one is the lowest
    /// bit of a byte. The bytes are a matrix of so many rows, and the last bits are 0.
    #[doc(alias("aclnnSignBitsPack", "aclnnSignBitsPackGetWorkspaceSize"))]
    SignBitsPack<T: Floating>, sign_bits_pack(a: in T, rows: attr i64, out: out u8)
        = aclnnSignBitsPack, aclnnSignBitsPackGetWorkspaceSize, |op| check_bits(op, &a.dims, a.dims.elements().div_euclid(8) + i64::from(a.dims.elements() % 8 > 0), rows, &out.dims);
    /// Prepares 1 and -1 for the bits of a vector of bytes, the lowest one first (`aclnnSignBitsUnpack`), as a matrix of so many
    /// rows.
    #[doc(alias("aclnnSignBitsUnpack", "aclnnSignBitsUnpackGetWorkspaceSize"))]
    SignBitsUnpack<T: Floating>, sign_bits_unpack(a: in u8, rows: attr i64, to: (T::DATA_TYPE) sys::aclDataType, out: out T)
        = aclnnSignBitsUnpack, aclnnSignBitsUnpackGetWorkspaceSize, |op| check_bits(op, &a.dims, a.dims.elements().saturating_mul(8), rows, &out.dims);
    /// Prepares the softmax of `scale * a` along the last of four dimensions (`aclnnScaledMaskedSoftmax`). The mask broadcasts to
    /// `a`, and chooses elements that count as -10000.
    #[doc(alias("aclnnScaledMaskedSoftmax", "aclnnScaledMaskedSoftmaxGetWorkspaceSize"))]
    ScaledMaskedSoftmax<T: Floating>,
        scaled_masked_softmax(a: in T, mask: in Bool, scale: attr f64, triangle: (false) bool, out: out T)
        = aclnnScaledMaskedSoftmax, aclnnScaledMaskedSoftmaxGetWorkspaceSize, |op| a.dims.check_rank(op, 4).and_then(|()| mask.dims.check_rank(op, 4)).and_then(|()| a.dims.check_broadcast(op, &a.dims, &mask.dims)).and(out.dims.check_same(op, &a.dims));
    /// Prepares the inverses of square matrices, which are the last two dimensions (`aclnnInverse`). Without an inverse, the
    /// numbers are not finite.
    #[doc(alias("aclnnInverse", "aclnnInverseGetWorkspaceSize"))]
    Inverse<T: Floating>, inverse(a: in T, out: out T)
        = aclnnInverse, aclnnInverseGetWorkspaceSize, |op| a.dims.check_squares(op).and_then(|()| out.dims.check_same(op, &a.dims));
    /// Prepares the distances of each row of a matrix and each later one, as [`pdist_forward`] does, by the C function whose
    /// order is a `double` (`aclnnPdist`).
    #[doc(alias("aclnnPdist", "aclnnPdistGetWorkspaceSize"))]
    Pdist<T: Floating>, pdist(a: in T, p: attr f64, out: out T)
        = aclnnPdist, aclnnPdistGetWorkspaceSize, |op| check_pairs(op, &a.dims, &out.dims);
    /// Prepares `norm * (1 + scale) + shift`, where the norm of each row `[n, l, d]` is weighted and shifted as
    /// [`layer_norm`](crate::op::layer_norm) does (`aclnnAdaLayerNorm`). The scale and the shift are `[n, d]` or `[n, 1, d]`.
    #[doc(alias("aclnnAdaLayerNorm", "aclnnAdaLayerNormGetWorkspaceSize"))]
    AdaLayerNorm<T: Floating>,
        ada_layer_norm(a: in T, scale: in T, shift: in T, weight: maybe T, bias: maybe T, epsilon: attr f64, out: out T)
        = aclnnAdaLayerNorm, aclnnAdaLayerNormGetWorkspaceSize, |op| check_modulated(op, &a.dims, Some(&scale.dims), Some(&shift.dims)).and_then(|()| check_layers(op, &a.dims, &[a.dims.size(2)], [weight, bias].into_iter().flatten().map(|one| &one.dims), &out.dims, core::iter::empty()));
    /// Prepares the same as [`ada_layer_norm`], and if they are wanted the mean and `1 / sqrt(variance + epsilon)` of each row,
    /// `[n, l, 1]` (`aclnnAdaLayerNormV2`). The outputs come back as a tuple; each of the last two is `Some(out)`, or `()`.
    #[doc(alias("aclnnAdaLayerNormV2", "aclnnAdaLayerNormV2GetWorkspaceSize"))]
    AdaLayerNormV2<T: Floating>,
        ada_layer_norm_v2(a: in T, scale: in T, shift: in T, weight: maybe T, bias: maybe T, epsilon: attr f64, out: out T, mean: maybe_out T, r: maybe_out T)
        = aclnnAdaLayerNormV2, aclnnAdaLayerNormV2GetWorkspaceSize, |op| check_modulated(op, &a.dims, Some(&scale.dims), Some(&shift.dims)).and_then(|()| check_layers(op, &a.dims, &[a.dims.size(2)], [weight, bias].into_iter().flatten().map(|one| &one.dims), &out.dims, mean.shapes().chain(r.shapes())));
    /// Prepares the numbers that whole ones from `least` to `most` stand for, by a scale and a zero point of one element, and
    /// whether each was within them (`aclnnFakeQuantPerTensorAffineCachemask`). Unless it is `enabled`, numbers stay as they are.
    /// The outputs come back as a pair.
    #[doc(alias("aclnnFakeQuantPerTensorAffineCachemask", "aclnnFakeQuantPerTensorAffineCachemaskGetWorkspaceSize"))]
    FakeQuantPerTensorAffineCachemask<T: Floating>,
        fake_quant_per_tensor_affine_cachemask(a: in T, scale: in T, zero: in i32, enabled: [bool: f32::from(u8::from(enabled)) => f32], least: attr i64, most: attr i64, out: out T, mask: out Bool)
        = aclnnFakeQuantPerTensorAffineCachemask, aclnnFakeQuantPerTensorAffineCachemaskGetWorkspaceSize, |op| scale.dims.check_number(op, &a.dims).and_then(|()| zero.dims.check_number(op, &a.dims)).and(out.dims.check_same(op, &a.dims)).and(mask.dims.check_same(op, &a.dims));
    /// Prepares the same as [`fake_quant_per_tensor_affine_cachemask`], with a scale and a zero point for each index of the
    /// dimension `axis` (`aclnnFakeQuantPerChannelAffineCachemask`).
    #[doc(alias("aclnnFakeQuantPerChannelAffineCachemask", "aclnnFakeQuantPerChannelAffineCachemaskGetWorkspaceSize"))]
    FakeQuantPerChannelAffineCachemask<T: Floating>,
        fake_quant_per_channel_affine_cachemask(a: in T, scale: in T, zero: in i32, axis: attr i64, least: attr i64, most: attr i64, out: out T, mask: out Bool)
        = aclnnFakeQuantPerChannelAffineCachemask, aclnnFakeQuantPerChannelAffineCachemaskGetWorkspaceSize, |op| a.dims.axis(op, axis).and_then(|axis| [&scale.dims, &zero.dims].into_iter().try_for_each(|one| one.check_beside(op, &a.dims, &[a.dims.size(axis)]))).and(out.dims.check_same(op, &a.dims)).and(mask.dims.check_same(op, &a.dims));
}

/// Checks that there is one weight, or one for each channel.
fn check_weight(operator: &'static str, operand: &Dims, weight: &Dims) -> Result<()> {
    if weight.elements() == 1 {
        return Ok(());
    }
    let channels = if operand.rank > 1 { operand.size(1) } else { 1 };
    weight.check_beside(operator, operand, &[channels])
}

/// Checks that the output has a number for each pair of rows.
fn check_pairs(operator: &'static str, operand: &Dims, output: &Dims) -> Result<()> {
    operand.check_rank(operator, 2)?;
    let rows = operand.size(0);
    output.check_is(operator, operand, &[rows.saturating_mul(rows - 1) / 2])
}

/// Checks that a vector gives so many elements in rows.
fn check_bits(
    operator: &'static str,
    operand: &Dims,
    elements: i64,
    rows: i64,
    output: &Dims,
) -> Result<()> {
    operand.check_rank(operator, 1)?;
    if rows < 1 || elements % rows != 0 {
        let rule = "the number of elements, which the number of rows divides";
        return Err(operand.numbers(operator, &[elements, rows], rule));
    }
    output.check_is(operator, operand, &[rows, elements / rows])
}
