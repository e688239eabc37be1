//! Makes a lease from an address.
#![allow(unused)]

use ascendcl::Npu;
use ascendcl::scope::{Lease, Scope};

fn wrong<'s>(
    scope: &'s Scope<'s, '_, Npu<0>>,
    numbers: &'s [u32],
) -> Lease<'s, Npu<0>, &'s [u32]> {
    Lease { memory: std::ptr::NonNull::from(numbers) } //~ mistake
    //~ instead: scope.lend(numbers)
}
