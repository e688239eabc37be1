//! Adds a direction from a memory domain of one's own to the table of copies.

use ascendcl::bounds::CopyTo;
use ascendcl::memory::Dev;
use ascendcl::{Npu, sys};

enum Shared {}
impl CopyTo<Dev<Npu<0>>, Npu<0>> for Shared { //~ mistake
    const KIND: sys::aclrtMemcpyKind = sys::ACL_MEMCPY_HOST_TO_DEVICE; //~ mistake
} //~ mistake
//~ instead: fn copies<M: CopyTo<Dev<Npu<0>>, Npu<0>>>() {}
