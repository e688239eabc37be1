//! Makes a part of a queued buffer from an address.
#![allow(unused)]

use ascendcl::memory::{Host, Slice};
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result};

fn wrong<'b>(
    queued: &'b Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
) -> Result<Slice<'b, Host, [u32], (Npu<0>, Main)>> {
    Ok(Slice { ptr: std::ptr::NonNull::from(&[0; 16]) }) //~ mistake
    //~ instead: queued.slice(0..16)
}
