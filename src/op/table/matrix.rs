//! Products of matrices and vectors.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::{Arithmetic, Floating, Real};
use crate::op::shape::Dims;
use crate::op::table::functions;

/// How exactly a card multiplies matrices (`cubeMathType` of `aclnn_matmul.h`, CANN 8.1).
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::op::{self, CubeMath};
///
/// let a = current.memset(current.malloc::<f32>(6)?, 0)?;
/// let out = current.malloc(4)?.into_tensor(&[2, 2])?;
/// let (left, right) = (a.tensor(&[2, 3])?, a.tensor(&[3, 2])?);
/// let product = op::matmul(current, &left, &right, out, CubeMath::Keep)?.run(&mut stream)?;
/// # });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(i8)]
pub enum CubeMath {
    /// In the precision of the elements. A card that has no such unit for them refuses.
    #[default]
    Keep = 0,
    /// f32 may be rounded to what the unit takes: HF32 on Atlas A2, f16 on older cards.
    AllowRounding = 1,
    /// In f16.
    F16 = 2,
    /// f32 in HF32.
    Hf32 = 3,
}

functions! {
    "Sums of half precision are computed in single precision and rounded once.";
    /// Prepares the product of matrices, or of batches of them (`aclnnMatmul`).
    ///
    /// As in NumPy: `[.., m, k]` and `[.., k, n]` give `[.., m, n]`, the dimensions in front of the last two
    /// broadcast, and an operand of one dimension is a vector.
    #[doc(alias("aclnnMatmul", "aclnnMatmulGetWorkspaceSize"))]
    Matmul<T: Floating>, matmul(a: in T, b: in T, out: dense_out T, math: [CubeMath: math as i8 => i8])
        = aclnnMatmul, aclnnMatmulGetWorkspaceSize, |op| out.dims.check_product(op, &a.dims, &b.dims);
    /// Prepares the product of two matrices, `[m, k]` and `[k, n]` (`aclnnMm`).
    #[doc(alias("aclnnMm", "aclnnMmGetWorkspaceSize"))]
    Mm<T: Floating>, mm(a: in T, b: in T, out: dense_out T, math: [CubeMath: math as i8 => i8])
        = aclnnMm, aclnnMmGetWorkspaceSize, |op| out.dims.check_matrices(op, &a.dims, &b.dims, 2);
    /// Prepares the products of batches of matrices, `[b, m, k]` and `[b, k, n]` (`aclnnBatchMatMul`). One batch of
    /// one matrix broadcasts.
    #[doc(alias("aclnnBatchMatMul", "aclnnBatchMatMulGetWorkspaceSize"))]
    BatchMatMul<T: Floating>, batch_mat_mul(a: in T, b: in T, out: dense_out T, math: [CubeMath: math as i8 => i8])
        = aclnnBatchMatMul, aclnnBatchMatMulGetWorkspaceSize, |op| out.dims.check_matrices(op, &a.dims, &b.dims, 3);
    /// Prepares the product of a matrix and a vector, `[m, n]` and `[n]` (`aclnnMv`).
    #[doc(alias("aclnnMv", "aclnnMvGetWorkspaceSize"))]
    Mv<T: Floating>, mv(a: in T, b: in T, out: out T, math: [CubeMath: math as i8 => i8])
        = aclnnMv, aclnnMvGetWorkspaceSize, |op| a.dims.check_rank(op, 2).and(b.dims.check_rank(op, 1)).and(out.dims.check_product(op, &a.dims, &b.dims));
    /// Prepares `beta * c + alpha * (a * b)` of matrices; `c` broadcasts to the output (`aclnnAddmm`).
    #[doc(alias("aclnnAddmm", "aclnnAddmmGetWorkspaceSize"))]
    Addmm<T: Floating>,
        addmm(c: in T, a: in T, b: in T, beta: scalar f32, alpha: scalar f32, out: dense_out T, math: [CubeMath: math as i8 => i8])
        = aclnnAddmm, aclnnAddmmGetWorkspaceSize, |op| out.dims.check_matrices(op, &a.dims, &b.dims, 2).and(out.dims.check_broadcast(op, &c.dims, &out.dims));
    /// Prepares `c = beta * c + alpha * (a * b)` of matrices; `tensor_mut` lends `c` (`aclnnInplaceAddmm`).
    #[doc(alias("aclnnInplaceAddmm", "aclnnInplaceAddmmGetWorkspaceSize"))]
    InplaceAddmm<T: Floating>,
        inplace_addmm(c: inout T, a: in T, b: in T, beta: scalar f32, alpha: scalar f32, math: [CubeMath: math as i8 => i8])
        = aclnnInplaceAddmm, aclnnInplaceAddmmGetWorkspaceSize, |op| c.dims.check_matrices(op, &a.dims, &b.dims, 2);
    /// Prepares `beta * c + alpha * (a * b)` of batches of matrices; `c` broadcasts to the output (`aclnnBaddbmm`).
    #[doc(alias("aclnnBaddbmm", "aclnnBaddbmmGetWorkspaceSize"))]
    Baddbmm<T: Floating>,
        baddbmm(c: in T, a: in T, b: in T, beta: scalar f32, alpha: scalar f32, out: out T, math: [CubeMath: math as i8 => i8])
        = aclnnBaddbmm, aclnnBaddbmmGetWorkspaceSize, |op| out.dims.check_matrices(op, &a.dims, &b.dims, 3).and(out.dims.check_broadcast(op, &c.dims, &out.dims));
    /// Prepares `c = beta * c + alpha * (a * b)` of batches of matrices; `tensor_mut` lends `c`
    /// (`aclnnInplaceBaddbmm`).
    #[doc(alias("aclnnInplaceBaddbmm", "aclnnInplaceBaddbmmGetWorkspaceSize"))]
    InplaceBaddbmm<T: Floating>,
        inplace_baddbmm(c: inout T, a: in T, b: in T, beta: scalar f32, alpha: scalar f32, math: [CubeMath: math as i8 => i8])
        = aclnnInplaceBaddbmm, aclnnInplaceBaddbmmGetWorkspaceSize, |op| c.dims.check_matrices(op, &a.dims, &b.dims, 3);
    /// Prepares the products of each element of one vector with each of another one, `[m]` and `[n]` give `[m, n]`
    /// (`aclnnGer`).
    #[doc(alias("aclnnGer", "aclnnGerGetWorkspaceSize"))]
    Ger<T: Arithmetic>, ger(a: in T, b: in T, out: out T)
        = aclnnGer, aclnnGerGetWorkspaceSize, |op| a.dims.check_rank(op, 1).and(b.dims.check_rank(op, 1)).and(out.dims.check_is(op, &a.dims, &[a.dims.size(0), b.dims.size(0)]));
    /// Prepares the sum of the products of two vectors (`aclnnDot`). The output has no dimension.
    #[doc(alias("aclnnDot", "aclnnDotGetWorkspaceSize"))]
    Dot<T: Floating>, dot(a: in T, b: in T, out: dense_out T)
        = aclnnDot, aclnnDotGetWorkspaceSize, |op| a.dims.check_rank(op, 1).and(b.dims.check_beside(op, &a.dims, a.dims.sizes())).and(out.dims.check_is(op, &a.dims, &[])).and(a.dims.check_filled(op, &out.dims));
    /// Prepares the solutions `x` of `a * x = b` for triangular matrices `a`, `[.., m, m]`, and right sides `b`,
    /// `[.., m, n]` (`aclnnTriangularSolve`). The dimensions in front of the last two broadcast.
    ///
    /// With `upper` it reads the upper triangle of `a`, else the lower one; with `transpose` the matrix is the transposed
    /// one; with `unitriangular` its diagonal counts as ones. A zero on the diagonal gives infinities or no numbers.
    ///
    /// C has one more output of the shape `[.., m, m]`. No source says what a card writes there, so `matrix` is memory that
    /// was written before.
    #[doc(alias("aclnnTriangularSolve", "aclnnTriangularSolveGetWorkspaceSize"))]
    TriangularSolve<T: Real>,
        triangular_solve(b: in T, a: in T, upper: attr bool, transpose: attr bool, unitriangular: attr bool, x: out T, matrix: inout T)
        = aclnnTriangularSolve, aclnnTriangularSolveGetWorkspaceSize, |op| check_triangles(op, &b.dims, &a.dims, &x.dims, &matrix.dims);
}

/// Checks that a triangular matrix and its right sides fit, and both outputs.
fn check_triangles(
    operator: &'static str,
    right: &Dims,
    matrix: &Dims,
    x: &Dims,
    copy: &Dims,
) -> Result<()> {
    for dims in [matrix, right] {
        if dims.rank < 2 {
            dims.check_rank(operator, 2)?;
        }
    }
    let (rows, columns) = (matrix.size(matrix.rank - 2), matrix.size(matrix.rank - 1));
    if rows != columns {
        return Err(matrix.numbers(operator, &[rows, columns], "as many rows as columns"));
    }
    x.check_product(operator, matrix, right)?;
    let (batch, _) = x.sizes().split_at(x.rank.saturating_sub(2));
    copy.check_is(operator, matrix, &[batch, &[rows, rows]].concat())
}
