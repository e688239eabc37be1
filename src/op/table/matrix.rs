//! Products of matrices.

use ascendcl_sys as sys;

use crate::op::element::Floating;
use crate::op::table::functions;

/// How exactly a card multiplies matrices (`cubeMathType` of `aclnn_matmul.h`, CANN 8.1).
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
    /// As in NumPy: `[.., m, k]` and `[.., k, n]` give `[.., m, n]`, the dimensions in front of the last two broadcast, and
    /// an operand of one dimension is a vector.
    #[doc(alias("aclnnMatmul", "aclnnMatmulGetWorkspaceSize"))]
    Matmul<T: Floating>, matmul(a: in T, b: in T, out: dense_out T, math: [CubeMath: math as i8 => i8])
        = aclnnMatmul, aclnnMatmulGetWorkspaceSize, |op| out.dims.check_product(op, &a.dims, &b.dims);
}
