//! Adds a direction to the table of copies.

use ascendcl::bounds::CopyTo;
use ascendcl::memory::Dev;
use ascendcl::{Npu, sys};

impl CopyTo<Dev<Npu<1>>, Npu<0>> for Dev<Npu<0>> { //~ mistake
    const KIND: sys::aclrtMemcpyKind = sys::ACL_MEMCPY_DEVICE_TO_DEVICE; //~ mistake
} //~ mistake
//~ instead: fn copies<M: CopyTo<Dev<Npu<1>>, Npu<1>>>() {}
