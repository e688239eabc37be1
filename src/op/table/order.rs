//! Operators that put elements in order.

use ascendcl_sys as sys;

use crate::error::{Result, Usage};
use crate::op::element::{Arithmetic, Numeric};
use crate::op::shape::Dims;
use crate::op::table::functions;

/// Which elements [`topk`] chooses.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::op::{self, Extreme};
///
/// let numbers = current.malloc_host_from(host, &[3_i32, 9, 1, 7])?;
/// let numbers = current.memcpy(current.malloc(4)?, &numbers)?;
/// let (values, places) = (current.malloc(2)?.into_tensor(&[2])?, current.malloc(2)?.into_tensor(&[2])?);
/// let plan = op::topk(current, &numbers.tensor(&[4])?, 2, -1, Extreme::Largest, values, places)?;
/// let (values, places) = plan.run(&mut stream)?;
/// let mut back = current.malloc_host::<i32>(host, 2)?;
/// current.memcpy(&mut back, &values)?;
/// assert_eq!(back[..], [9, 7]);
/// # });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extreme {
    /// The largest, from the largest on.
    Largest,
    /// The smallest, from the smallest on.
    Smallest,
}

functions! {
    "A dimension counts from 0, or from the end by -1, -2 and so on.";
    /// Prepares the `k` largest or smallest elements along the dimension `axis`, in order, and where they stood in it
    /// (`aclnnTopk`). The two outputs come back as a pair.
    ///
    /// Which of several equal elements is chosen is not said.
    // A card gives them in order only (`aclnn_topk.h`: `sorted` must be true).
    #[doc(alias("aclnnTopk", "aclnnTopkGetWorkspaceSize"))]
    Topk<T: Arithmetic>, topk(
        a: in T, k: [usize: k.cast_signed() as i64 => i64], axis: attr i64,
        extreme: [Extreme: extreme == Extreme::Largest => bool], sorted: (true) bool,
        values: out T, indices: out i64,
    ) = aclnnTopk, aclnnTopkGetWorkspaceSize, |op| check_chosen(op, &a.dims, k, axis, [&values.dims, &indices.dims]);
    /// Prepares the elements in order along the dimension `axis`, and where they stood in it (`aclnnSort`). The two
    /// outputs come back as a pair; with `stable`, equal elements keep their order.
    #[doc(alias("aclnnSort", "aclnnSortGetWorkspaceSize"))]
    Sort<T: Numeric>,
        sort(a: in T, stable: attr bool, axis: attr i64, descending: attr bool, values: out T, indices: out i64)
        = aclnnSort, aclnnSortGetWorkspaceSize, |op| values.dims.check_along(op, &a.dims, axis).and(indices.dims.check_same(op, &a.dims));
    /// Prepares where the elements stand along the dimension `axis`, in their order (`aclnnArgsort`).
    #[doc(alias("aclnnArgsort", "aclnnArgsortGetWorkspaceSize"))]
    Argsort<T: Numeric>, argsort(a: in T, axis: attr i64, descending: attr bool, out: out i64)
        = aclnnArgsort, aclnnArgsortGetWorkspaceSize, |op| out.dims.check_along(op, &a.dims, axis);
}

/// Checks that a dimension has `k` elements, and that the outputs have so many there.
fn check_chosen(
    operator: &'static str,
    operand: &Dims,
    k: usize,
    axis: i64,
    outputs: [&Dims; 2],
) -> Result<()> {
    let axis = operand.axis(operator, axis)?;
    let chosen = k.cast_signed() as i64;
    let size = operand.size(axis);
    if !(1..=size).contains(&chosen) {
        let size = size.cast_unsigned() as usize;
        let wrong = Usage::Chosen {
            operator,
            k,
            size,
            axis,
        };
        return Err(wrong.into());
    }
    for output in outputs {
        output.check_resized(operator, operand, axis, chosen)?;
    }
    Ok(())
}
