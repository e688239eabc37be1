//! Functions of each element.

use ascendcl_sys as sys;

use crate::op::element::Numeric;
use crate::op::table::functions;

functions! {
    "The output has the shape of the operand.";
    /// Prepares `out = max(a, 0)` (`aclnnRelu`).
    #[doc(alias("aclnnRelu", "aclnnReluGetWorkspaceSize"))]
    Relu<T: Numeric>, relu(a: in T, out: out T)
        = aclnnRelu, aclnnReluGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
}
