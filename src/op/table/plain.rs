//! Functions of elements and of matrices that few programs call.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::{Floating, Half, Numeric};
use crate::op::parameter::{In, Text};
use crate::op::shape::Dims;
use crate::op::table::functions;
use crate::op::table::matrix::CubeMath;
use crate::op::table::network::check_halved;
use crate::op::table::quantize::check_rows;
use crate::op::table::single::check_enough;
use crate::op::truth::Bool;

functions! {
    "The output has the shape of the operand if nothing else is said.";
    /// Prepares whether the difference is less than `tolerance` (`aclnnApproximateEqual`).
    #[doc(alias("aclnnApproximateEqual", "aclnnApproximateEqualGetWorkspaceSize"))]
    ApproximateEqual<T: Floating>, approximate_equal(a: in T, b: in T, tolerance: attr f32, out: out Bool)
        = aclnnApproximateEqual, aclnnApproximateEqualGetWorkspaceSize, |op| b.dims.check_beside(op, &a.dims, a.dims.sizes()).and(out.dims.check_same(op, &a.dims));
    /// Prepares `alpha * a + b` (`aclnnAxpyV3`).
    #[doc(alias("aclnnAxpyV3", "aclnnAxpyV3GetWorkspaceSize"))]
    AxpyV3<T: Floating>, axpy_v3(a: in T, b: in T, alpha: attr f64, out: out T)
        = aclnnAxpyV3, aclnnAxpyV3GetWorkspaceSize, |op| b.dims.check_beside(op, &a.dims, a.dims.sizes()).and(out.dims.check_same(op, &a.dims));
    /// Prepares `a * factor + b`, where the factor is one number of the device (`aclnnFusedMulAddN`).
    #[doc(alias("aclnnFusedMulAddN", "aclnnFusedMulAddNGetWorkspaceSize"))]
    FusedMulAddN<T: Numeric>, fused_mul_add_n(a: in T, b: in T, factor: in T, out: out T)
        = aclnnFusedMulAddN, aclnnFusedMulAddNGetWorkspaceSize, |op| factor.dims.check_number(op, &a.dims).and_then(|()| b.dims.check_beside(op, &a.dims, a.dims.sizes())).and(out.dims.check_same(op, &a.dims));
    /// Prepares `a + alpha * b`, where `alpha` is one number of the device (`aclnnAxpyV2`).
    #[doc(alias("aclnnAxpyV2", "aclnnAxpyV2GetWorkspaceSize"))]
    AxpyV2<T: Numeric>, axpy_v2(a: in T, b: in T, alpha: in T, out: out T)
        = aclnnAxpyV2, aclnnAxpyV2GetWorkspaceSize, |op| alpha.dims.check_number(op, &a.dims).and_then(|()| b.dims.check_beside(op, &a.dims, a.dims.sizes())).and(out.dims.check_same(op, &a.dims));
    /// Prepares `beta * c + alpha * a * b` (`aclnnAddMatMatElements`).
    #[doc(alias("aclnnAddMatMatElements", "aclnnAddMatMatElementsGetWorkspaceSize"))]
    AddMatMatElements<T: Floating>, add_mat_mat_elements(a: in T, b: in T, c: in T, alpha: scalar f32, beta: scalar f32, out: out T)
        = aclnnAddMatMatElements, aclnnAddMatMatElementsGetWorkspaceSize, |op| [&b.dims, &c.dims].into_iter().try_for_each(|one| one.check_beside(op, &a.dims, a.dims.sizes())).and(out.dims.check_same(op, &a.dims));
    /// Prepares the softmax of `scale * a + mask + bias`, of which `a` has batches, windows, heads, rows and columns, the mask has
    /// windows, rows and columns, and the bias has heads, rows and columns (`aclnnMaskedSoftmaxWithRelPosBias`).
    #[doc(alias("aclnnMaskedSoftmaxWithRelPosBias", "aclnnMaskedSoftmaxWithRelPosBiasGetWorkspaceSize"))]
    MaskedSoftmaxWithRelPosBias<T: Floating>,
        masked_softmax_with_rel_pos_bias(a: in T, mask: maybe T, bias: in T, scale: attr f64, mode: (0) i64, out: out T)
        = aclnnMaskedSoftmaxWithRelPosBias, aclnnMaskedSoftmaxWithRelPosBiasGetWorkspaceSize, |op| check_windows(op, &a.dims, mask.map(|mask| &mask.dims), &bias.dims).and_then(|()| out.dims.check_same(op, &a.dims));
    /// Prepares the square of `a - b`. Shapes broadcast as in NumPy (`aclnnSquaredDifference`).
    #[doc(alias("aclnnSquaredDifference", "aclnnSquaredDifferenceGetWorkspaceSize"))]
    SquaredDifference<T: Numeric>, squared_difference(a: in T, b: in T, out: out T)
        = aclnnSquaredDifference, aclnnSquaredDifferenceGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the product, which is 0 where `b` is 0, also if `a` is no number there. Shapes broadcast as in NumPy (`aclnnMulNoNan`).
    #[doc(alias("aclnnMulNoNan", "aclnnMulNoNanGetWorkspaceSize"))]
    MulNoNan<T: Numeric>, mul_no_nan(a: in T, b: in T, out: out T)
        = aclnnMulNoNan, aclnnMulNoNanGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the number below which the standard normal distribution has a share of `a` (`aclnnNdtri`).
    #[doc(alias("aclnnNdtri", "aclnnNdtriGetWorkspaceSize"))]
    Ndtri<T: Floating>, ndtri(a: in T, out: out T)
        = aclnnNdtri, aclnnNdtriGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `a / (1 + abs(a))` (`aclnnSoftsign`).
    #[doc(alias("aclnnSoftsign", "aclnnSoftsignGetWorkspaceSize"))]
    Softsign<T: Floating>, softsign(a: in T, out: out T)
        = aclnnSoftsign, aclnnSoftsignGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `a * b / (1 + e ^ -a)`, the SiLU of `a` times `b` (`aclnnSiluMul`).
    #[doc(alias("aclnnSiluMul", "aclnnSiluMulGetWorkspaceSize"))]
    SiluMul<T: Floating>, silu_mul(a: in T, b: in T, out: out T)
        = aclnnSiluMul, aclnnSiluMulGetWorkspaceSize, |op| b.dims.check_beside(op, &a.dims, a.dims.sizes()).and(out.dims.check_same(op, &a.dims));
    /// Prepares `a + bias`, where the bias has a number for each index of the last dimension (`aclnnBiasAdd`).
    #[doc(alias("aclnnBiasAdd", "aclnnBiasAddGetWorkspaceSize"))]
    BiasAdd<T: Numeric>, bias_add(a: in T, bias: in T, format: (c"NHWC") Text, out: out T)
        = aclnnBiasAdd, aclnnBiasAddGetWorkspaceSize, |op| a.dims.axis(op, -1).and_then(|axis| bias.dims.check_beside(op, &a.dims, &[a.dims.size(axis)])).and(out.dims.check_same(op, &a.dims));
    /// Prepares the diagonal of a square matrix (`aclnnDiagPart`).
    #[doc(alias("aclnnDiagPart", "aclnnDiagPartGetWorkspaceSize"))]
    DiagPart<T: Numeric>, diag_part(a: in T, out: out T)
        = aclnnDiagPart, aclnnDiagPartGetWorkspaceSize, |op| a.dims.check_rank(op, 2).and_then(|()| a.dims.check_squares(op)).and_then(|()| out.dims.check_is(op, &a.dims, &[a.dims.size(0)]));
    /// Prepares `max(a, 0)`, and 1 where `a` is above 0 (`aclnnReluV3`). The outputs come back as a pair.
    #[doc(alias("aclnnReluV3", "aclnnReluV3GetWorkspaceSize"))]
    ReluV3<T: Floating>, relu_v3(a: in T, out: out T, mask: out u8)
        = aclnnReluV3, aclnnReluV3GetWorkspaceSize, |op| out.dims.check_same(op, &a.dims).and(mask.dims.check_same(op, &a.dims));
    /// Prepares the SiLU of the first half of the last dimension, at most `limit`, times the second half, within `-limit` and `limit`
    /// (`aclnnSwigluClamp`).
    #[doc(alias("aclnnSwigluClamp", "aclnnSwigluClampGetWorkspaceSize"))]
    SwigluClamp<T: Floating>, swiglu_clamp(a: in T, limit: attr f64, out: out T)
        = aclnnSwigluClamp, aclnnSwigluClampGetWorkspaceSize, |op| check_halved(op, &a.dims, -1, &[&out.dims]);
    /// Prepares `g / (1 + e ^ (-alpha * g)) * (l + bias)`, where `g` is one half of the dimension `axis`, at most `limit`, and `l` is the
    /// other half, within `-limit` and `limit` (`aclnnClippedSwiglu`). They are every second element if `interleaved`.
    #[doc(alias("aclnnClippedSwiglu", "aclnnClippedSwigluGetWorkspaceSize"))]
    ClippedSwiglu<T: Floating>,
        clipped_swiglu(a: in T, rows: (None) Option<In<i64>>, axis: attr i64, alpha: attr f64, limit: attr f64, bias: attr f64, interleaved: attr bool, out: out T)
        = aclnnClippedSwiglu, aclnnClippedSwigluGetWorkspaceSize, |op| check_halved(op, &a.dims, axis, &[&out.dims]);
    /// Prepares `a`, with the elements of `source`, one after the other, where the mask is true (`aclnnMaskedScatterV2`). The source
    /// has at least as many elements as `a`.
    #[doc(alias("aclnnMaskedScatterV2", "aclnnMaskedScatterV2GetWorkspaceSize"))]
    MaskedScatterV2<T: Numeric>, masked_scatter_v2(a: in T, mask: in Bool, source: in T, out: out T)
        = aclnnMaskedScatterV2, aclnnMaskedScatterV2GetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &mask.dims).and_then(|()| check_enough(op, &source.dims, &a.dims)).and(out.dims.check_same(op, &a.dims));
    /// Prepares the logarithm of the determinant of each square matrix, which are the last two dimensions (`aclnnLogdet`). It is NaN
    /// where the determinant is negative.
    #[doc(alias("aclnnLogdet", "aclnnLogdetGetWorkspaceSize"))]
    Logdet<T: Floating>, logdet(a: in T, out: out T)
        = aclnnLogdet, aclnnLogdetGetWorkspaceSize, |op| a.dims.check_squares(op).and_then(|()| check_of_matrices(op, &a.dims, &out.dims));
    /// Prepares the sign of the determinant of each square matrix, and the logarithm of its absolute value (`aclnnSlogdet`). The
    /// outputs come back as a pair.
    #[doc(alias("aclnnSlogdet", "aclnnSlogdetGetWorkspaceSize"))]
    Slogdet<T: Floating>, slogdet(a: in T, sign: out T, logarithm: out T)
        = aclnnSlogdet, aclnnSlogdetGetWorkspaceSize, |op| a.dims.check_squares(op).and_then(|()| check_of_matrices(op, &a.dims, &sign.dims)).and_then(|()| check_of_matrices(op, &a.dims, &logarithm.dims));
    /// Prepares `e` to the power of the sum of the elements behind the `j`-th and up to the `i`-th one of each row, and 0 where `i` is less than
    /// `j` (`aclnnExpSegsum`). The operand has three or four dimensions, and the output one more.
    #[doc(alias("aclnnExpSegsum", "aclnnExpSegsumGetWorkspaceSize"))]
    ExpSegsum<T: Floating>, exp_segsum(a: in T, out: out T)
        = aclnnExpSegsum, aclnnExpSegsumGetWorkspaceSize, |op| check_segments(op, &a.dims, &out.dims);
    /// Prepares each row without what is not among its `count` largest numbers, or not among the largest whose probabilities are `share`
    /// together: that becomes minus infinity (`aclnnApplyTopKTopP`). The largest number stays.
    #[doc(alias("aclnnApplyTopKTopP", "aclnnApplyTopKTopPGetWorkspaceSize"))]
    ApplyTopKTopP<T: Floating>, apply_top_k_top_p(logits: in T, shares: in T, counts: in i32, out: out T)
        = aclnnApplyTopKTopP, aclnnApplyTopKTopPGetWorkspaceSize, |op| logits.dims.check_rank(op, 2).and_then(|()| [&shares.dims, &counts.dims].into_iter().try_for_each(|one| one.check_beside(op, &logits.dims, &[logits.dims.size(0)]))).and(out.dims.check_same(op, &logits.dims));
    /// Prepares a convolution along the first dimension of `[time, n, channels]`, with weights `[taps, channels, others]`, a number for each
    /// of the others, and `pad` zeros at both ends (`aclnnConvTbc`).
    #[doc(alias("aclnnConvTbc", "aclnnConvTbcGetWorkspaceSize"))]
    ConvTbc<T: Floating>, conv_tbc(a: in T, weight: in T, bias: in T, pad: attr i64, out: out T, math: [CubeMath: math as i8 => i8])
        = aclnnConvTbc, aclnnConvTbcGetWorkspaceSize, |op| check_steps(op, &a.dims, &weight.dims, pad, &out.dims).and_then(|()| bias.dims.check_beside(op, &weight.dims, &[weight.dims.size(2)]));
    /// Prepares a step of a cell with a memory (`aclnnThnnFusedLstmCell`), from the sums of its gates `[n, 4 * width]`: those of the input, of
    /// the cell, of forgetting and of the output. The outputs are what is hidden, the cell and the open gates, and come back as a tuple.
    #[doc(alias("aclnnThnnFusedLstmCell", "aclnnThnnFusedLstmCellGetWorkspaceSize"))]
    ThnnFusedLstmCell<T: Floating>,
        thnn_fused_lstm_cell(gates: in T, hidden_gates: in T, cell: in T, bias: maybe T, hidden_bias: maybe T, hidden: out T, next_cell: out T, storage: out T)
        = aclnnThnnFusedLstmCell, aclnnThnnFusedLstmCellGetWorkspaceSize, |op| check_cell(op, [&gates.dims, &hidden_gates.dims, &storage.dims], [bias, hidden_bias].into_iter().flatten().map(|one| &one.dims), [&cell.dims, &hidden.dims, &next_cell.dims]);
    /// Prepares the norm of the rows by the root of their mean square, times `gamma` and with `beta`, as bytes: each times `scale`, and
    /// `offset` (`aclnnRmsNormQuant`).
    #[doc(alias("aclnnRmsNormQuant", "aclnnRmsNormQuantGetWorkspaceSize"))]
    RmsNormQuant<T: Floating>, rms_norm_quant(a: in T, gamma: in T, beta: in T, scale: in T, offset: in i8, epsilon: attr f64, out: out i8)
        = aclnnRmsNormQuant, aclnnRmsNormQuantGetWorkspaceSize, |op| a.dims.axis(op, -1).and_then(|axis| [&gamma.dims, &beta.dims].into_iter().try_for_each(|one| one.check_beside(op, &a.dims, &[a.dims.size(axis)]))).and_then(|()| [&scale.dims, &offset.dims].into_iter().try_for_each(|one| one.check_number(op, &a.dims))).and(out.dims.check_same(op, &a.dims));
    /// Prepares [`rms_norm`](crate::op::rms_norm) of the last dimension and `beta`, times `smooth`, as bytes with the scale of each row
    /// (`aclnnRmsNormDynamicQuant`). The scales have the shape of the operand without the last dimension. The outputs come back as a
    /// pair.
    #[doc(alias("aclnnRmsNormDynamicQuant", "aclnnRmsNormDynamicQuantGetWorkspaceSize"))]
    RmsNormDynamicQuant<T: Half>,
        rms_norm_dynamic_quant(a: in T, gamma: in T, smooth: maybe T, beta: maybe T, epsilon: attr f64, kind: (2) i64, out: out i8, scale: out f32)
        = aclnnRmsNormDynamicQuant, aclnnRmsNormDynamicQuantGetWorkspaceSize, |op| check_rows(op, &a.dims, Some(&gamma.dims), &out.dims, &scale.dims).and_then(|()| [smooth, beta].into_iter().flatten().try_for_each(|one| one.dims.check_beside(op, &a.dims, gamma.dims.sizes())));
}

/// Checks that the output has a number for each matrix.
fn check_of_matrices(operator: &'static str, operand: &Dims, output: &Dims) -> Result<()> {
    let outer = operand.sizes().split_last_chunk::<2>();
    output.check_is(operator, operand, outer.map_or(&[], |(outer, _)| outer))
}

/// Checks that the output has a matrix for each row.
fn check_segments(operator: &'static str, operand: &Dims, output: &Dims) -> Result<()> {
    let axis = operand.axis(operator, -1)?;
    let mut sizes = operand.sizes().to_vec();
    sizes.push(operand.size(axis));
    output.check_is(operator, operand, &sizes)
}

/// Checks the shapes of a mask and a bias of windows.
fn check_windows(
    operator: &'static str,
    operand: &Dims,
    mask: Option<&Dims>,
    bias: &Dims,
) -> Result<()> {
    operand.check_rank(operator, 5)?;
    let [windows, heads, rows, columns] = [1, 2, 3, 4].map(|axis| operand.size(axis));
    if let Some(mask) = mask {
        mask.check_beside(operator, operand, &[windows, rows, columns])?;
    }
    bias.check_beside(operator, operand, &[heads, rows, columns])
}

/// Checks the weights of a convolution along the first of three dimensions, and that the output has its steps.
fn check_steps(
    operator: &'static str,
    operand: &Dims,
    weight: &Dims,
    pad: i64,
    output: &Dims,
) -> Result<()> {
    operand.check_rank(operator, 3)?;
    weight.check_rank(operator, 3)?;
    weight.check_beside(
        operator,
        operand,
        &[weight.size(0), operand.size(2), weight.size(2)],
    )?;
    let steps = pad.saturating_mul(2).saturating_add(operand.size(0));
    let steps = steps.saturating_sub(weight.size(0)).saturating_add(1);
    let rule = "the taps fit into the steps and the zeros at their ends";
    operand.check_numbers(operator, &[pad, steps], |one| one >= 0, rule)?;
    output.check_is(operator, operand, &[steps, operand.size(1), weight.size(2)])
}

/// Checks that tensors of gates are four times as wide as those of a cell.
fn check_cell<'a>(
    operator: &'static str,
    [gates, hidden, storage]: [&Dims; 3],
    mut biases: impl Iterator<Item = &'a Dims>,
    cells: [&Dims; 3],
) -> Result<()> {
    let [cell, ..] = cells;
    cell.check_rank(operator, 2)?;
    let width = cell.size(1).saturating_mul(4);
    let wide = [cell.size(0), width];
    gates.check_beside(operator, cell, &wide)?;
    hidden.check_beside(operator, cell, &wide)?;
    biases.try_for_each(|bias| bias.check_beside(operator, gates, &[width]))?;
    let [_, outputs @ ..] = cells;
    outputs
        .into_iter()
        .try_for_each(|one| one.check_same(operator, cell))?;
    storage.check_same(operator, gates)
}
