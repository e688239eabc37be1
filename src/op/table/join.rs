//! Operators that join tensors.

use ascendcl_sys as sys;

use crate::op::element::Element;
use crate::op::table::functions;

functions! {
    "A dimension counts from 0, or from the end by -1, -2 and so on.";
    /// Prepares the tensors joined along the dimension `axis` (`aclnnCat`).
    #[doc(alias("aclnnCat", "aclnnCatGetWorkspaceSize"))]
    Cat<T: Element>, cat(tensors: list T, axis: attr i64, out: dense_out T)
        = aclnnCat, aclnnCatGetWorkspaceSize,
        |op| out.dims.check_joined(op, tensors.iter().map(|tensor| &tensor.dims), axis);
}
