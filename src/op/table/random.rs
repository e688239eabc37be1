//! Random numbers.

use ascendcl_sys as sys;

use crate::op::element::{Fractional, Numeric};
use crate::op::table::{any_shape, functions};

functions! {
    "Equal seeds and offsets give equal numbers on one backend. The emulator draws other numbers than a card, with the same \
     distribution.";
    /// Prepares random numbers of a normal distribution for all elements (`aclnnInplaceNormal`): `mean` and the standard
    /// deviation `std`.
    #[doc(alias("aclnnInplaceNormal", "aclnnInplaceNormalGetWorkspaceSize"))]
    InplaceNormal<T: Fractional>,
        inplace_normal(a: only_out T, mean: attr f32, std: attr f32, seed: attr i64, offset: attr i64)
        = aclnnInplaceNormal, aclnnInplaceNormalGetWorkspaceSize, |_| any_shape();
    /// Prepares random numbers from `from` up to `to`, without it, for all elements (`aclnnInplaceUniform`). Whole numbers
    /// are rounded towards 0.
    #[doc(alias("aclnnInplaceUniform", "aclnnInplaceUniformGetWorkspaceSize"))]
    InplaceUniform<T: Numeric>,
        inplace_uniform(a: only_out T, from: attr f64, to: attr f64, seed: attr u64, offset: attr u64)
        = aclnnInplaceUniform, aclnnInplaceUniformGetWorkspaceSize, |_| any_shape();
}
