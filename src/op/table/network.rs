//! Gates and positions of neural networks.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::Floating;
use crate::op::shape::Dims;
use crate::op::table::activation::Gelus;
use crate::op::table::functions;

/// Which elements of the last dimension [`rotary_position_embedding`] turns together (`mode` of
/// `aclnn_rotary_position_embedding.h`).
///
/// ```
/// use ascendcl::op::Pairs;
///
/// // Of the elements 0 to 7, the first one is turned with element 4, or with element 1.
/// let pairs = [Pairs::Halves, Pairs::Neighbours];
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i64)]
pub enum Pairs {
    /// An element of the first half and the one at its place in the second half.
    Halves = 0,
    /// Neighbours.
    Neighbours = 1,
}

functions! {
    "A dimension counts from 0, or from the end by -1, -2 and so on.";
    /// Prepares `silu(l) * r` of the halves `l` and `r` of the dimension `axis` (`aclnnSwiGlu`). The output has half
    /// as many elements in that dimension.
    #[doc(alias("aclnnSwiGlu", "aclnnSwiGluGetWorkspaceSize"))]
    SwiGlu<T: Floating>, swi_glu(a: dense T, axis: attr i64, out: dense_out T)
        = aclnnSwiGlu, aclnnSwiGluGetWorkspaceSize, |op| check_halved(op, &a.dims, axis, &[&out.dims]);
    /// Prepares `gelu(l) * r` of the halves of the dimension `axis`, and `gelu(l)` (`aclnnGeGluV3`). `l` is the first
    /// half if `left`, and the second one otherwise. The outputs come back as a pair.
    #[doc(alias("aclnnGeGluV3", "aclnnGeGluV3GetWorkspaceSize"))]
    GeGluV3<T: Floating>,
        ge_glu_v3(a: in T, axis: attr i64, approximation: [Gelus: approximation as i64 => i64], left: attr bool, out: out T, gelu: out T)
        = aclnnGeGluV3, aclnnGeGluV3GetWorkspaceSize, |op| check_halved(op, &a.dims, axis, &[&out.dims, &gelu.dims]);
    /// Prepares pairs of elements of the last dimension, turned by the angles of `cos` and `sin`
    /// (`aclnnRotaryPositionEmbedding`): `a * cos + turned(a) * sin`.
    ///
    /// All tensors have four dimensions. `cos` and `sin` have the same shape: each of their sizes is 1 or that of the
    /// operand, and the last one is that of the operand.
    #[doc(alias("aclnnRotaryPositionEmbedding", "aclnnRotaryPositionEmbeddingGetWorkspaceSize"))]
    RotaryPositionEmbedding<T: Floating>,
        rotary_position_embedding(a: in T, cos: in T, sin: in T, pairs: [Pairs: pairs as i64 => i64], out: dense_out T)
        = aclnnRotaryPositionEmbedding, aclnnRotaryPositionEmbeddingGetWorkspaceSize, |op| check_turned(op, &a.dims, &cos.dims, &sin.dims).and(out.dims.check_same(op, &a.dims));
}

/// Checks that the outputs have half as many elements in the dimension `axis`.
pub(super) fn check_halved(
    operator: &'static str,
    operand: &Dims,
    axis: i64,
    outputs: &[&Dims],
) -> Result<()> {
    let axis = operand.axis(operator, axis)?;
    let size = operand.size(axis);
    if size % 2 != 0 {
        return Err(operand.numbers(
            operator,
            &[size],
            "the elements of that dimension are halved",
        ));
    }
    outputs
        .iter()
        .try_for_each(|output| output.check_resized(operator, operand, axis, size / 2))
}

/// Checks the shapes of the angles by which an operand of four dimensions is turned.
pub(super) fn check_turned(
    operator: &'static str,
    operand: &Dims,
    cos: &Dims,
    sin: &Dims,
) -> Result<()> {
    operand.check_rank(operator, 4)?;
    cos.check_rank(operator, 4)?;
    sin.check_beside(operator, cos, cos.sizes())?;
    let last = operand.size(3);
    if last % 2 != 0 {
        return Err(operand.numbers(
            operator,
            &[last],
            "the last dimension has pairs of elements",
        ));
    }
    let sizes = cos.sizes().iter().zip(operand.sizes()).enumerate();
    let fitting = |(dim, (size, whole)): (usize, (&i64, &i64))| {
        if *size == 1 && dim < 3 { 1 } else { *whole }
    };
    let expected: Vec<i64> = sizes.map(fitting).collect();
    cos.check_beside(operator, operand, &expected)
}
