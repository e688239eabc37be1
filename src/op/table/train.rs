//! Dropout.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::Floating;
use crate::op::shape::{Dims, product};
use crate::op::table::functions;

functions! {
    "Equal seeds and offsets give equal numbers on one backend. The emulator draws other numbers than a card, with the same \
     distribution.";
    /// Prepares a bit for each element of a tensor of the shape `shape` (`aclnnDropoutGenMask`): 0 with the probability
    /// `prob`, and 1 otherwise. [`dropout_do_mask`] uses it.
    ///
    /// The output is a vector of 16 bytes for each 128 elements, and for the rest: [`dropout_mask_len`] counts them.
    #[doc(alias("aclnnDropoutGenMask", "aclnnDropoutGenMaskGetWorkspaceSize"))]
    DropoutGenMask<>,
        dropout_gen_mask(shape: ints, prob: attr f64, seed: attr i64, offset: attr i64, out: only_out u8)
        = aclnnDropoutGenMask, aclnnDropoutGenMaskGetWorkspaceSize, |op| check_mask(op, &out.dims, shape);
    /// Prepares `a / (1 - prob)` where the bit of the mask is 1, and 0 elsewhere (`aclnnDropoutDoMask`). The mask is an
    /// output of [`dropout_gen_mask`] for the shape of `a`.
    #[doc(alias("aclnnDropoutDoMask", "aclnnDropoutDoMaskGetWorkspaceSize"))]
    DropoutDoMask<T: Floating>, dropout_do_mask(a: in T, mask: in u8, prob: attr f64, out: out T)
        = aclnnDropoutDoMask, aclnnDropoutDoMaskGetWorkspaceSize, |op| mask.dims.check_beside(op, &a.dims, &[mask_len(a.dims.sizes())]).and(out.dims.check_same(op, &a.dims));
    /// Prepares [`dropout_do_mask`] with a mask that it draws itself, and that mask (`aclnnDropout`). Unless it is to `train`,
    /// the elements stay as they are, and all bits are 1. The outputs come back as a pair.
    #[doc(alias("aclnnDropout", "aclnnDropoutGetWorkspaceSize"))]
    Dropout<T: Floating>,
        dropout(a: in T, prob: attr f64, train: attr bool, seed: attr i64, offset: attr i64, out: out T, mask: out u8)
        = aclnnDropout, aclnnDropoutGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims).and_then(|()| mask.dims.check_is(op, &a.dims, &[mask_len(a.dims.sizes())]));
    /// Prepares the gradient of [`dropout`]: `scale * a` where the bit of the mask is 1, and 0 elsewhere
    /// (`aclnnDropoutBackward`).
    #[doc(alias("aclnnDropoutBackward", "aclnnDropoutBackwardGetWorkspaceSize"))]
    DropoutBackward<T: Floating>, dropout_backward(a: in T, mask: in u8, scale: attr f64, out: out T)
        = aclnnDropoutBackward, aclnnDropoutBackwardGetWorkspaceSize, |op| mask.dims.check_beside(op, &a.dims, &[mask_len(a.dims.sizes())]).and(out.dims.check_same(op, &a.dims));
}

/// The number of bytes of a mask for a tensor of the shape `shape`, as [`dropout_gen_mask`] makes it.
#[must_use]
pub fn dropout_mask_len(shape: &[usize]) -> usize {
    let elements = shape.iter().copied().fold(1, usize::saturating_mul);
    elements.div_ceil(128).saturating_mul(16)
}

fn mask_len(shape: &[i64]) -> i64 {
    let elements = product(shape);
    (elements / 128 + i64::from(elements % 128 != 0)).saturating_mul(16)
}

/// Checks that a mask has a bit for each element of a shape.
fn check_mask(operator: &'static str, mask: &Dims, shape: &[i64]) -> Result<()> {
    let rule = "sizes of a tensor are at least 0";
    mask.check_numbers(operator, shape, |size| size >= 0, rule)?;
    mask.check_is(operator, mask, &[mask_len(shape)])
}
