//! Quantized numbers, with scales in the form that a matrix unit reads.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::{Floating, Half};
use crate::op::indices::Indices;
use crate::op::parameter::{In, Text};
use crate::op::shape::Dims;
use crate::op::table::functions;
use crate::op::table::quantize::{check_factors, check_product, check_scaled};

functions! {
    "Numbers beyond those of an element type become its least or its largest one.";
    /// Prepares scales in the form that [`quant_matmul_v3`] reads (`aclnnTransQuantParamV2`): the upper 19 bits of a number, and an
    /// offset beside them, which is a whole number from -256 to 255. `scale` and `offset` are vectors of the same length.
    #[doc(alias("aclnnTransQuantParamV2", "aclnnTransQuantParamV2GetWorkspaceSize"))]
    TransQuantParamV2<>, trans_quant_param_v2(scale: in f32, offset: maybe f32, out: dense_out u64)
        = aclnnTransQuantParamV2, aclnnTransQuantParamV2GetWorkspaceSize, |op| check_packed(op, &scale.dims, offset.map(|one| &one.dims), &out.dims);
    /// Prepares scales in the form that [`quant_matmul_v3`] reads (`aclnnTransQuantParamV3`): the upper 19 bits of a number, which are cut, and an
    /// offset beside them, which is a whole number from -256 to 255. `scale` and `offset` are vectors of the same length.
    #[doc(alias("aclnnTransQuantParamV3", "aclnnTransQuantParamV3GetWorkspaceSize"))]
    TransQuantParamV3<>, trans_quant_param_v3(scale: in f32, offset: maybe f32, round: (0) i64, out: dense_out u64)
        = aclnnTransQuantParamV3, aclnnTransQuantParamV3GetWorkspaceSize, |op| check_packed(op, &scale.dims, offset.map(|one| &one.dims), &out.dims);
    /// Prepares the product of matrices of bytes, or of batches of them (`aclnnQuantMatmulV3`): `(a * b + bias) * scale`, where the
    /// sums are exact. `scale` has one element for all or one for each column, of [`trans_quant_param_v2`], and `bias` one for each
    /// column; an operand is transposed before if its flag says so. Other scales and outputs are for
    /// [`Operator`](crate::op::Operator).
    #[doc(alias("aclnnQuantMatmulV3", "aclnnQuantMatmulV3GetWorkspaceSize"))]
    QuantMatmulV3<U: Half>,
        quant_matmul_v3(a: dense i8, b: dense i8, scale: dense u64, offset: (None) Option<In<f32>>, bias: maybe i32, transpose_a: attr bool, transpose_b: attr bool, out: dense_out U)
        = aclnnQuantMatmulV3, aclnnQuantMatmulV3GetWorkspaceSize, |op| check_product(op, [&a.dims, &b.dims], [transpose_a, transpose_b], &out.dims)
            .and_then(|[_, columns]| check_factors(op, &b.dims, &[(Some(&scale.dims), columns, true), (bias.map(|one| &one.dims), columns, false)]));
    /// Prepares the product of matrices of bytes, or of batches of them (`aclnnQuantMatmulV5`):
    /// `(a * b + bias) * scale * pertoken_scale`, where the sums are exact. `scale` has one element for all or one for each column,
    /// `bias` one for each column, and `pertoken_scale` one for each row; an operand is transposed before if its flag says so. Other
    /// elements, scales of groups and offsets are for [`Operator`](crate::op::Operator).
    #[doc(alias("aclnnQuantMatmulV5", "aclnnQuantMatmulV5GetWorkspaceSize"))]
    QuantMatmulV5<S: Floating, U: Half>,
        quant_matmul_v5(a: dense i8, b: dense i8, pertoken_scale: maybe f32, scale: dense S, y_scale: (None) Option<In<f32>>, a_offset: (None) Option<In<f32>>, b_offset: (None) Option<In<f32>>, y_offset: (None) Option<In<f32>>, bias: maybe i32, transpose_a: attr bool, transpose_b: attr bool, group: (0) i64, out: out U)
        = aclnnQuantMatmulV5, aclnnQuantMatmulV5GetWorkspaceSize, |op| check_product(op, [&a.dims, &b.dims], [transpose_a, transpose_b], &out.dims)
            .and_then(|[rows, columns]| check_factors(op, &b.dims, &[(Some(&scale.dims), columns, true), (pertoken_scale.map(|one| &one.dims), rows, false), (bias.map(|one| &one.dims), columns, false)]));
    /// Prepares `(x + offset) * scale` (`aclnnAscendAntiQuant`): `scale` and `offset` have one number for all elements, or one for
    /// each of the last dimension. The scale is squared if `sqrt_mode`.
    #[doc(alias("aclnnAscendAntiQuant", "aclnnAscendAntiQuantGetWorkspaceSize"))]
    AscendAntiQuant<T: Half>,
        ascend_anti_quant(x: in i8, scale: in f32, offset: maybe f32, to: (i64::from(T::DATA_TYPE.0)) i64, sqrt_mode: attr bool, y: out T)
        = aclnnAscendAntiQuant, aclnnAscendAntiQuantGetWorkspaceSize, |op| check_scaled(op, &x.dims, [Some(&scale.dims), offset.map(|offset| &offset.dims)], -1).and(y.dims.check_same(op, &x.dims));
    /// Prepares `(x + bias) * scale * pertoken_scale` of a matrix of sums (`aclnnDequantBias`): `scale` and `bias` have a number for
    /// each column, and `pertoken_scale` one for each row. A bias of other elements is for [`Operator`](crate::op::Operator).
    #[doc(alias("aclnnDequantBias", "aclnnDequantBiasGetWorkspaceSize"))]
    DequantBias<T: Half>,
        dequant_bias(x: in i32, scale: in f32, pertoken_scale: maybe f32, bias: maybe i32, to: (i64::from(T::DATA_TYPE.0)) i64, out: out T)
        = aclnnDequantBias, aclnnDequantBiasGetWorkspaceSize, |op| check_sums(op, &x.dims, &out.dims).and_then(|()| check_factors(op, &x.dims, &[(Some(&scale.dims), x.dims.size(1), false), (pertoken_scale.map(|one| &one.dims), x.dims.size(0), false), (bias.map(|one| &one.dims), x.dims.size(1), false)]));
    /// Prepares the SwiGLU of sums of products of bytes, as bytes with the scale of each row (`aclnnDequantSwigluQuant`, its mode
    /// `dynamic`): a sum is multiplied by `scale` of its column and `pertoken_scale` of its row, one half of each row, the left one
    /// if `left`, by its sigmoid and by the other half, and the results by `smooth`. The scale of a row is its largest magnitude,
    /// divided by 127.
    ///
    /// `x` is `[rows, 2 * n]`, the scales of rows are `[rows, 1]`, and a bias, which is added to the sums, has `2 * n` elements; the bytes are `[rows, n]`, and `smooth`
    /// has `n` elements. The outputs come back as a pair. Other element types are for [`Operator`](crate::op::Operator).
    #[doc(alias("aclnnDequantSwigluQuant", "aclnnDequantSwigluQuantGetWorkspaceSize"))]
    DequantSwigluQuant<>,
        dequant_swiglu_quant(
            x: in i32, scale: in f32, pertoken_scale: maybe f32, bias: maybe i32, smooth: maybe f32,
            offset: (None) Option<In<f32>>, groups: (None) Option<In<i64>>, left: attr bool, mode: (c"dynamic") Text,
            y: out i8, scale_of_rows: out f32
        )
        = aclnnDequantSwigluQuant, aclnnDequantSwigluQuantGetWorkspaceSize, |op| check_gated(op, &x.dims, &y.dims, &scale_of_rows.dims).and_then(|[rows, width]| pertoken_scale.map_or(Ok(()), |one| one.dims.check_beside(op, &x.dims, &[rows, 1])).and(check_factors(op, &x.dims, &[(Some(&scale.dims), width, false), (bias.map(|one| &one.dims), width, false), (smooth.map(|one| &one.dims), width / 2, false)])));
    /// Prepares the SwiGLU of each row, as bytes with the scale of each row (`aclnnSwiGluQuant`, its mode `dynamic`): one half of each
    /// row, the left one if `left`, is multiplied by its sigmoid and by the other half, and the results by `smooth` of the group of
    /// the row. The scale of a row is its largest magnitude, divided by 127.
    ///
    /// `x` is `[rows, 2 * n]`, the bytes are `[rows, n]`, and `smooth` is `[groups, n]`, or `[groups]`. `groups` has for each group
    /// the row behind its last one; these numbers do not decrease, and the last one is the number of rows. The outputs come back as a pair.
    #[doc(alias("aclnnSwiGluQuant", "aclnnSwiGluQuantGetWorkspaceSize"))]
    SwiGluQuant<T: Floating>,
        swi_glu_quant(
            x: in T, smooth: in f32, offset: (None) Option<In<f32>>, groups: index i32, left: attr bool,
            mode: (c"dynamic") Text, y: out i8, scale: out f32
        )
        = aclnnSwiGluQuant, aclnnSwiGluQuantGetWorkspaceSize, |op| check_gated(op, &x.dims, &y.dims, &scale.dims).and_then(|[rows, width]| check_rows_of_groups(op, &x.dims, groups, rows, &smooth.dims, width / 2));
}

/// Checks vectors of scales and offsets, and as many results.
fn check_packed(
    operator: &'static str,
    scale: &Dims,
    offset: Option<&Dims>,
    out: &Dims,
) -> Result<()> {
    scale.check_rank(operator, 1)?;
    if let Some(offset) = offset {
        offset.check_beside(operator, scale, scale.sizes())?;
    }
    let rule = "at least one scale";
    scale.check_numbers(operator, scale.sizes(), |size| size > 0, rule)?;
    out.check_same(operator, scale)
}

/// Checks a matrix of sums.
fn check_sums(operator: &'static str, sums: &Dims, out: &Dims) -> Result<()> {
    sums.check_rank(operator, 2)?;
    out.check_same(operator, sums)
}

/// Checks the ends of groups of rows, and numbers of each group.
fn check_rows_of_groups<X, L>(
    operator: &'static str,
    x: &Dims,
    groups: &Indices<'_, X, i32, L>,
    rows: i64,
    numbers: &Dims,
    columns: i64,
) -> Result<()> {
    let ends = &groups.tensor.dims;
    ends.check_rank(operator, 1)?;
    groups.check_within(operator, rows + 1)?;
    let count = ends.elements();
    match numbers.rank {
        1 => numbers.check_beside(operator, x, &[count]),
        _ => numbers.check_beside(operator, x, &[count, columns]),
    }
}

/// Checks a matrix whose rows have two halves, bytes for one of them, and a scale for each row. Returns the sizes of the matrix.
fn check_gated(operator: &'static str, x: &Dims, y: &Dims, scale: &Dims) -> Result<[i64; 2]> {
    x.check_rank(operator, 2)?;
    let [rows, width] = [0, 1].map(|dim| x.size(dim));
    let rule = "a row has two halves";
    x.check_numbers(operator, &[width], |width| width % 2 == 0, rule)?;
    y.check_is(operator, x, &[rows, width / 2])?;
    scale.check_is(operator, x, &[rows])?;
    x.check_filled(operator, scale)?;
    Ok([rows, width])
}
