//! Quantized numbers: bytes with a scale.

use std::ffi::CStr;

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::{BiasOf, Dequantized, Floating, Half};
use crate::op::parameter::{In, Text};
use crate::op::shape::Dims;
use crate::op::table::functions;

/// How [`ascend_quant_v3`] makes whole numbers (`roundMode` of `aclnn_ascend_quant_v3.h`).
///
/// ```
/// use ascendcl::op::RoundMode;
///
/// // 2.5 becomes 2, 3, 2 and 2.
/// let modes = [RoundMode::Round, RoundMode::Ceil, RoundMode::Trunc, RoundMode::Floor];
/// assert_eq!(RoundMode::default(), RoundMode::Round);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RoundMode {
    /// The nearest one, the even one of two.
    #[default]
    Round,
    /// The next one above.
    Ceil,
    /// The next one towards 0.
    Trunc,
    /// The next one below.
    Floor,
}

impl RoundMode {
    pub(super) const fn text(self) -> &'static CStr {
        match self {
            RoundMode::Round => c"round",
            RoundMode::Ceil => c"ceil",
            RoundMode::Trunc => c"trunc",
            RoundMode::Floor => c"floor",
        }
    }
}

functions! {
    "Numbers beyond those of a byte become -128 or 127.";
    /// Prepares bytes for the elements of each row, and the scale of each row (`aclnnDynamicQuant`): the scale is the largest
    /// magnitude of the row, divided by 127, and a byte is the element divided by the scale, rounded.
    ///
    /// `smooth` has a factor for each element of a row. The bytes have the shape of the operand, and the scales have the
    /// same without the last dimension. The outputs come back as a pair.
    #[doc(alias("aclnnDynamicQuant", "aclnnDynamicQuantGetWorkspaceSize"))]
    DynamicQuant<T: Half>, dynamic_quant(x: in T, smooth: maybe T, y: out i8, scale: out f32)
        = aclnnDynamicQuant, aclnnDynamicQuantGetWorkspaceSize, |op| check_rows(op, &x.dims, smooth.map(|smooth| &smooth.dims), &y.dims, &scale.dims);
    /// Prepares `x * scale + offset`, rounded to bytes (`aclnnAscendQuantV3`).
    ///
    /// `scale` and `offset` are vectors with one number for all elements, or with one for each index of the dimension
    /// `axis`, which is -1 or -2. The scale is squared if `sqrt_mode`.
    #[doc(alias("aclnnAscendQuantV3", "aclnnAscendQuantV3GetWorkspaceSize"))]
    AscendQuantV3<T: Floating>,
        ascend_quant_v3(
            x: in T, scale: in T, offset: maybe T, sqrt_mode: attr bool, round: [RoundMode: round.text() => Text],
            to: (sys::ACL_INT8.0) i32, axis: attr i32, y: out i8
        )
        = aclnnAscendQuantV3, aclnnAscendQuantV3GetWorkspaceSize, |op| check_scaled(op, &x.dims, [Some(&scale.dims), offset.map(|offset| &offset.dims)], axis).and(y.dims.check_same(op, &x.dims));
    /// Prepares the product of matrices of bytes, or of batches of them (`aclnnQuantMatmulV4`):
    /// `(a * b + bias) * scale * pertoken_scale + offset`, where the sums are exact. A result of `i32` is `a * b + bias`, without
    /// the scales.
    ///
    /// `[.., m, k]` and `[.., k, n]` give `[.., m, n]`; an operand is transposed before if its flag says so. `scale`,
    /// `offset` and `bias` are vectors of `n` elements; `scale` and `offset` may have one element for all.
    /// `pertoken_scale` has `m` elements. Atlas A2 gives bf16 with these scales, f16 with `pertoken_scale` too, and i32; a
    /// scale of 64 bits, a bias of other elements and fractal weights are for [`Operator`](crate::op::Operator).
    #[doc(alias("aclnnQuantMatmulV4", "aclnnQuantMatmulV4GetWorkspaceSize"))]
    QuantMatmulV4<S: Floating, U: Dequantized>,
        quant_matmul_v4(
            a: dense i8, b: dense i8, scale: dense S, offset: maybe f32, pertoken_scale: maybe f32, bias: maybe i32,
            transpose_a: attr bool, transpose_b: attr bool, out: out U
        )
        = aclnnQuantMatmulV4, aclnnQuantMatmulV4GetWorkspaceSize, |op| check_product(op, [&a.dims, &b.dims], [transpose_a, transpose_b], &out.dims)
            .and_then(|[rows, columns]| check_factors(op, &b.dims, &[(Some(&scale.dims), columns, true), (offset.map(|one| &one.dims), columns, true), (pertoken_scale.map(|one| &one.dims), rows, false), (bias.map(|one| &one.dims), columns, false)]));
    /// Prepares the product of a matrix and of weights that are bytes (`aclnnWeightQuantBatchMatmulV2`):
    /// `x * ((weight + offset) * scale) + bias`.
    ///
    /// `[m, k]` and `[k, n]` give `[m, n]`. `scale` and `offset` have the shape `[1]` or `[n]`; or `[k / group, n]`, rounded
    /// up, with a `group_size` that is a multiple of 32 and less than `k`, and 0 otherwise. `bias` has `n` elements. Weights
    /// of 4 bits and quantized outputs are for [`Operator`](crate::op::Operator).
    #[doc(alias("aclnnWeightQuantBatchMatmulV2", "aclnnWeightQuantBatchMatmulV2GetWorkspaceSize"))]
    WeightQuantBatchMatmulV2<T: Half, U: BiasOf<T>>,
        weight_quant_batch_matmul_v2(
            x: in T, weight: in i8, scale: in T, offset: maybe T, quant_scale: (None) Option<In<u64>>,
            quant_offset: (None) Option<In<f32>>, bias: maybe U, group_size: attr i32, y: dense_out T
        )
        = aclnnWeightQuantBatchMatmulV2, aclnnWeightQuantBatchMatmulV2GetWorkspaceSize, |op| y.dims.check_matrices(op, &x.dims, &weight.dims, 2)
            .and_then(|()| check_groups(op, &weight.dims, [Some(&scale.dims), offset.map(|one| &one.dims)], i64::from(group_size)))
            .and_then(|()| check_factors(op, &weight.dims, &[(bias.map(|one| &one.dims), weight.dims.size(1), false)]));
}

/// Checks the shapes of bytes and scales of rows.
pub(super) fn check_rows(
    operator: &'static str,
    x: &Dims,
    smooth: Option<&Dims>,
    y: &Dims,
    scale: &Dims,
) -> Result<()> {
    let rows = match x.sizes().split_last() {
        Some((width, rows)) if !rows.is_empty() => {
            if let Some(smooth) = smooth {
                smooth.check_beside(operator, x, &[*width])?;
            }
            rows
        }
        _ => return x.check_rank(operator, 2),
    };
    y.check_same(operator, x)?;
    scale.check_is(operator, x, rows)?;
    x.check_filled(operator, scale)
}

/// Checks scales of one element, or of one for each index of the dimension `axis`.
pub(super) fn check_scaled(
    operator: &'static str,
    x: &Dims,
    scales: [Option<&Dims>; 2],
    axis: i32,
) -> Result<()> {
    let place = x.axis(operator, i64::from(axis))?;
    if place + 2 < x.rank {
        let rule = "the axis is one of the last two dimensions";
        return Err(x.numbers(operator, &[i64::from(axis)], rule));
    }
    let size = x.size(place);
    let scales = scales.map(|scale| (scale, size, true));
    check_factors(operator, x, &scales)
}

/// Checks vectors: the number of their elements, and whether one element may be for all.
pub(super) fn check_factors(
    operator: &'static str,
    first: &Dims,
    factors: &[(Option<&Dims>, i64, bool)],
) -> Result<()> {
    for (factor, size, one_for_all) in factors {
        match factor {
            Some(factor) if !(*one_for_all && factor.sizes() == [1]) => {
                factor.check_beside(operator, first, &[*size])?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Checks a product of batches of matrices, and returns the rows and columns of the result.
pub(super) fn check_product(
    operator: &'static str,
    operands: [&Dims; 2],
    transposed: [bool; 2],
    out: &Dims,
) -> Result<[i64; 2]> {
    let mut sides = operands.map(|operand| *operand);
    for (side, transposed) in sides.iter_mut().zip(transposed) {
        if side.rank < 2 {
            side.check_rank(operator, 2)?;
        }
        if transposed {
            *side = side.transposed(-2, -1)?;
        }
    }
    let [left, right] = &sides;
    out.check_product(operator, left, right)?;
    Ok([left.size(left.rank - 2), right.size(right.rank - 1)])
}

/// Checks scales of weights: one for all, one for each column, or one for each column of a group of rows.
pub(super) fn check_groups(
    operator: &'static str,
    weight: &Dims,
    scales: [Option<&Dims>; 2],
    group: i64,
) -> Result<()> {
    let (length, columns) = (weight.size(0), weight.size(1));
    if group == 0 {
        let scales = scales.map(|scale| (scale, columns, true));
        return check_factors(operator, weight, &scales);
    }
    if group < 0 || group % 32 != 0 || group >= length {
        let rule = "the size of a group is 0, or a multiple of 32 that is less than the rows of the weights";
        return Err(weight.numbers(operator, &[group], rule));
    }
    let groups = length / group + i64::from(length % group != 0);
    for scale in scales.into_iter().flatten() {
        scale.check_beside(operator, weight, &[groups, columns])?;
    }
    Ok(())
}
