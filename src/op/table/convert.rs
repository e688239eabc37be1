//! Casts and copies.

use ascendcl_sys as sys;

use crate::op::element::{CastTo, Element};
use crate::op::table::functions;

functions! {
    "The output has the shape of the operand.";
    /// Prepares `out = a` in the element type of the output (`aclnnCast`).
    ///
    /// Floating-point numbers become integers by truncation. What an integer type cannot hold, and what a card rounds to
    /// half precision, depends on the card.
    #[doc(alias("aclnnCast", "aclnnCastGetWorkspaceSize"))]
    Cast<T: CastTo<U>, U: Element>, cast(a: dense T, to: (U::DATA_TYPE) sys::aclDataType, out: out U)
        = aclnnCast, aclnnCastGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares a copy of `b`, which broadcasts to the shape of `a` as in NumPy, to `a`, which `tensor_mut` lends or
    /// `into_tensor` makes of a fresh buffer (`aclnnInplaceCopy`). It gives the elements of a view a place of their own.
    #[doc(alias("aclnnInplaceCopy", "aclnnInplaceCopyGetWorkspaceSize"))]
    InplaceCopy<T: Element>, inplace_copy(a: out T, b: in T)
        = aclnnInplaceCopy, aclnnInplaceCopyGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
}
