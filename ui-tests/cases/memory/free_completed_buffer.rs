//! Frees a buffer that a fence gave back as if it were a plain one.

use ascendcl::queue::Completed;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Result};

fn wrong(completed: Completed<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, u32>>) -> Result<()> {
    completed.free() //~ mistake
    //~ instead: completed.into_unverified().free()
}

fn main() {
    let _ = wrong;
}
