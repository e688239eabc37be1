//! Queries and keys that are turned by their positions.

use std::ffi::CStr;

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::Floating;
use crate::op::parameter::Text;
use crate::op::shape::Dims;
use crate::op::table::functions;
use crate::op::table::network::Pairs;

functions! {
    "Queries and keys have the dimensions `[batch, positions, heads, elements]`; both angles have \
     `[batch, positions, 1, elements]`. `tensor_mut` lends what is changed.";
    /// Prepares queries and keys, each pair of whose elements is turned by the angles of `cos` and `sin`, in place
    /// (`aclnnApplyRotaryPosEmb`): `a * cos + turned(a) * sin`. A pair is an element of the first half and the one at its
    /// place in the second half.
    ///
    /// A card takes 128 elements.
    #[doc(alias("aclnnApplyRotaryPosEmb", "aclnnApplyRotaryPosEmbGetWorkspaceSize"))]
    ApplyRotaryPosEmb<T: Floating>,
        apply_rotary_pos_emb(query: inout T, key: inout T, cos: in T, sin: in T, layout: (1) i64)
        = aclnnApplyRotaryPosEmb, aclnnApplyRotaryPosEmbGetWorkspaceSize, |op| check_turned(op, [&query.dims, &key.dims], [&cos.dims, &sin.dims]);
    /// Prepares queries and keys, each pair of whose elements is turned by the angles of `cos` and `sin`, in place
    /// (`aclnnApplyRotaryPosEmbV2`): `a * cos + turned(a) * sin`.
    #[doc(alias("aclnnApplyRotaryPosEmbV2", "aclnnApplyRotaryPosEmbV2GetWorkspaceSize"))]
    ApplyRotaryPosEmbV2<T: Floating>,
        apply_rotary_pos_emb_v2(query: inout T, key: inout T, cos: in T, sin: in T, layout: (1) i64, pairs: [Pairs: text(pairs) => Text])
        = aclnnApplyRotaryPosEmbV2, aclnnApplyRotaryPosEmbV2GetWorkspaceSize, |op| check_turned(op, [&query.dims, &key.dims], [&cos.dims, &sin.dims]);
}

/// The name of the pairs in C.
const fn text(pairs: Pairs) -> &'static CStr {
    match pairs {
        Pairs::Halves => c"half",
        Pairs::Neighbours => c"interleave",
    }
}

/// Checks the shapes of queries and keys, and of the angles by which they are turned.
fn check_turned(
    operator: &'static str,
    [query, key]: [&Dims; 2],
    [cos, sin]: [&Dims; 2],
) -> Result<()> {
    for dims in [query, key, cos, sin] {
        dims.check_rank(operator, 4)?;
    }
    let (batches, positions, width) = (query.size(0), query.size(1), query.size(3));
    if width % 2 != 0 {
        let rule = "the last dimension has pairs of elements";
        return Err(query.numbers(operator, &[width], rule));
    }
    key.check_beside(operator, query, &[batches, positions, key.size(2), width])?;
    for angles in [cos, sin] {
        angles.check_beside(operator, query, &[batches, positions, 1, width])?;
    }
    Ok(())
}
