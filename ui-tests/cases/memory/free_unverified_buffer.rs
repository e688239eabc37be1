//! Frees a buffer that a fence gave back as if it were a plain one.

use ascendcl::queue::Unverified;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Result};

fn wrong(unverified: Unverified<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>) -> Result<()> {
    unverified.free() //~ mistake
    //~ instead: unverified.accept_unverified().free()
}
