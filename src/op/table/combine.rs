//! Gates, shifts and sums of products.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::{Arithmetic, Floating, Fractional, IndexElement, Numeric};
use crate::op::parameter::Text;
use crate::op::shape::Dims;
use crate::op::table::activation::Gelus;
use crate::op::table::binary::check_sum;
use crate::op::table::functions;
use crate::op::table::matrix::CubeMath;
use crate::op::table::network::check_halved;

functions! {
    "Shapes broadcast as in NumPy. A dimension counts from 0, or from the end by -1, -2 and so on.";
    /// Prepares `max(a + alpha * b, 0)` (`aclnnAddRelu`).
    #[doc(alias("aclnnAddRelu", "aclnnAddReluGetWorkspaceSize"))]
    AddRelu<T: Numeric>, add_relu(a: in T, b: in T, alpha: scalar T, out: out T)
        = aclnnAddRelu, aclnnAddReluGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a = max(a + alpha * b, 0)` (`aclnnInplaceAddRelu`).
    #[doc(alias("aclnnInplaceAddRelu", "aclnnInplaceAddReluGetWorkspaceSize"))]
    InplaceAddRelu<T: Numeric>, inplace_add_relu(a: inout T, b: in T, alpha: scalar T)
        = aclnnInplaceAddRelu, aclnnInplaceAddReluGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the square of a number, or 0 where it is negative (`aclnnSquaredRelu`).
    #[doc(alias("aclnnSquaredRelu", "aclnnSquaredReluGetWorkspaceSize"))]
    SquaredRelu<T: Floating>, squared_relu(a: in T, out: out T)
        = aclnnSquaredRelu, aclnnSquaredReluGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `ln(a / (1 - a))`, where `a` is at least `eps` away from 0 and 1 if `eps` is not negative (`aclnnLogit`).
    #[doc(alias("aclnnLogit", "aclnnLogitGetWorkspaceSize"))]
    Logit<T: Floating>, logit(a: in T, eps: attr f64, out: out T)
        = aclnnLogit, aclnnLogitGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the bits of `a`, moved up by `b` (`aclnnLeftShift`).
    #[doc(alias("aclnnLeftShift", "aclnnLeftShiftGetWorkspaceSize"))]
    LeftShift<T: IndexElement>, left_shift(a: in T, b: in T, out: out T)
        = aclnnLeftShift, aclnnLeftShiftGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the bits of `a`, moved up by a number of the host (`aclnnLeftShifts`).
    #[doc(alias("aclnnLeftShifts", "aclnnLeftShiftsGetWorkspaceSize"))]
    LeftShifts<T: IndexElement>, left_shifts(a: in T, bits: scalar T, out: out T)
        = aclnnLeftShifts, aclnnLeftShiftsGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the bits of `a`, moved down by `b` with the sign in front (`aclnnRightShift`).
    #[doc(alias("aclnnRightShift", "aclnnRightShiftGetWorkspaceSize"))]
    RightShift<T: IndexElement>, right_shift(a: in T, b: in T, out: out T)
        = aclnnRightShift, aclnnRightShiftGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the largest of the elements at the same place of many tensors, which broadcast (`aclnnMaxN`).
    #[doc(alias("aclnnMaxN", "aclnnMaxNGetWorkspaceSize"))]
    MaxN<T: Arithmetic>, max_n(tensors: list T, out: out T)
        = aclnnMaxN, aclnnMaxNGetWorkspaceSize, |op| check_sum(op, tensors, &out.dims);
    /// Prepares the smallest of the elements at the same place of many tensors, which broadcast (`aclnnMinN`).
    #[doc(alias("aclnnMinN", "aclnnMinNGetWorkspaceSize"))]
    MinN<T: Arithmetic>, min_n(tensors: list T, out: out T)
        = aclnnMinN, aclnnMinNGetWorkspaceSize, |op| check_sum(op, tensors, &out.dims);
    /// Prepares `l * sigmoid(r)` of the halves of the dimension `axis` (`aclnnGlu`).
    #[doc(alias("aclnnGlu", "aclnnGluGetWorkspaceSize"))]
    Glu<T: Fractional>, glu(a: in T, axis: attr i64, out: out T)
        = aclnnGlu, aclnnGluGetWorkspaceSize, |op| check_halved(op, &a.dims, axis, &[&out.dims]);
    /// Prepares `l * gelu(r)` of the halves of the dimension `axis`, and `gelu(r)` (`aclnnGeGlu`). The outputs come back as a
    /// pair.
    #[doc(alias("aclnnGeGlu", "aclnnGeGluGetWorkspaceSize"))]
    GeGlu<T: Floating>,
        ge_glu(a: in T, axis: attr i64, approximation: [Gelus: approximation as i64 => i64], out: out T, gelu: out T)
        = aclnnGeGlu, aclnnGeGluGetWorkspaceSize, |op| check_halved(op, &a.dims, axis, &[&out.dims, &gelu.dims]);
    /// Prepares `gelu(l) * r` of the halves of the last dimension (`aclnnGeluMul`).
    #[doc(alias("aclnnGeluMul", "aclnnGeluMulGetWorkspaceSize"))]
    GeluMul<T: Floating>, gelu_mul(a: in T, approximation: [Gelus: approximation.text() => Text], out: out T)
        = aclnnGeluMul, aclnnGeluMulGetWorkspaceSize, |op| check_halved(op, &a.dims, -1, &[&out.dims]);
    /// Prepares `a * (1 + scale) + shift` of rows `[n, l, d]`, with numbers `[n, d]` or `[n, 1, d]` (`aclnnModulate`).
    #[doc(alias("aclnnModulate", "aclnnModulateGetWorkspaceSize"))]
    Modulate<T: Floating>, modulate(a: in T, scale: maybe T, shift: maybe T, out: out T)
        = aclnnModulate, aclnnModulateGetWorkspaceSize, |op| check_modulated(op, &a.dims, scale.map(|one| &one.dims), shift.map(|one| &one.dims)).and(out.dims.check_same(op, &a.dims));
    /// Prepares `beta * a + alpha * b * c` with the outer product of two vectors; `a` broadcasts (`aclnnAddr`).
    #[doc(alias("aclnnAddr", "aclnnAddrGetWorkspaceSize"))]
    Addr<T: Numeric>, addr(a: in T, b: in T, c: in T, beta: maybe_scalar T, alpha: maybe_scalar T, out: out T)
        = aclnnAddr, aclnnAddrGetWorkspaceSize, |op| check_outer(op, &b.dims, &c.dims, &out.dims).and(out.dims.check_broadcast(op, &a.dims, &out.dims));
    /// Prepares `a = beta * a + alpha * b * c` with the outer product of two vectors (`aclnnInplaceAddr`).
    #[doc(alias("aclnnInplaceAddr", "aclnnInplaceAddrGetWorkspaceSize"))]
    InplaceAddr<T: Numeric>, inplace_addr(a: inout T, b: in T, c: in T, beta: maybe_scalar T, alpha: maybe_scalar T)
        = aclnnInplaceAddr, aclnnInplaceAddrGetWorkspaceSize, |op| check_outer(op, &b.dims, &c.dims, &a.dims);
    /// Prepares `beta * c + alpha * (a * b)` of a matrix and a vector; `c` broadcasts to the output (`aclnnAddmv`).
    #[doc(alias("aclnnAddmv", "aclnnAddmvGetWorkspaceSize"))]
    Addmv<T: Floating>,
        addmv(c: in T, a: in T, b: in T, alpha: scalar f32, beta: scalar f32, out: out T, math: [CubeMath: math as i8 => i8])
        = aclnnAddmv, aclnnAddmvGetWorkspaceSize, |op| a.dims.check_rank(op, 2).and(b.dims.check_rank(op, 1)).and(out.dims.check_product(op, &a.dims, &b.dims)).and(out.dims.check_broadcast(op, &c.dims, &out.dims));
    /// Prepares `beta * c + alpha * sum(a * b)` with the sum of the products of two batches of matrices; `c` broadcasts to the
    /// output (`aclnnAddbmm`).
    #[doc(alias("aclnnAddbmm", "aclnnAddbmmGetWorkspaceSize"))]
    Addbmm<T: Floating>,
        addbmm(c: in T, a: in T, b: in T, beta: scalar f32, alpha: scalar f32, out: out T, math: [CubeMath: math as i8 => i8])
        = aclnnAddbmm, aclnnAddbmmGetWorkspaceSize, |op| check_batches(op, &a.dims, &b.dims, &out.dims).and(out.dims.check_broadcast(op, &c.dims, &out.dims));
    /// Prepares `c = beta * c + alpha * sum(a * b)` with the sum of the products of two batches (`aclnnInplaceAddbmm`).
    #[doc(alias("aclnnInplaceAddbmm", "aclnnInplaceAddbmmGetWorkspaceSize"))]
    InplaceAddbmm<T: Floating>,
        inplace_addbmm(c: inout T, a: in T, b: in T, beta: scalar f32, alpha: scalar f32, math: [CubeMath: math as i8 => i8])
        = aclnnInplaceAddbmm, aclnnInplaceAddbmmGetWorkspaceSize, |op| check_batches(op, &a.dims, &b.dims, &c.dims);
    /// Prepares `alpha * (a * b) + beta * c` of matrices; a view transposes one of them (`aclnnGemm`).
    #[doc(alias("aclnnGemm", "aclnnGemmGetWorkspaceSize"))]
    Gemm<T: Floating>,
        gemm(a: in T, b: in T, c: in T, alpha: attr f32, beta: attr f32, transposes_a: (0) i64, transposes_b: (0) i64, out: out T, math: [CubeMath: math as i8 => i8])
        = aclnnGemm, aclnnGemmGetWorkspaceSize, |op| out.dims.check_matrices(op, &a.dims, &b.dims, 2).and(out.dims.check_broadcast(op, &c.dims, &out.dims));
}

/// Checks the numbers by which rows of each batch are scaled and shifted.
pub(super) fn check_modulated(
    operator: &'static str,
    operand: &Dims,
    scale: Option<&Dims>,
    shift: Option<&Dims>,
) -> Result<()> {
    operand.check_rank(operator, 3)?;
    let (batches, columns) = (operand.size(0), operand.size(2));
    for one in [scale, shift].into_iter().flatten() {
        if one.sizes() != [batches, columns] {
            one.check_beside(operator, operand, &[batches, 1, columns])?;
        }
    }
    Ok(())
}

/// Checks that two operands are vectors, and that the result has a row for each element of the first one.
fn check_outer(operator: &'static str, one: &Dims, other: &Dims, out: &Dims) -> Result<()> {
    one.check_rank(operator, 1)?;
    other.check_rank(operator, 1)?;
    out.check_is(operator, one, &[one.size(0), other.size(0)])
}

/// Checks two batches of matrices whose products are added up.
fn check_batches(operator: &'static str, left: &Dims, right: &Dims, out: &Dims) -> Result<()> {
    left.check_rank(operator, 3)?;
    right.check_rank(operator, 3)?;
    right.check_beside(operator, left, &[left.size(0), left.size(2), right.size(2)])?;
    out.check_is(operator, left, &[left.size(1), right.size(2)])?;
    left.check_filled(operator, out)
}
