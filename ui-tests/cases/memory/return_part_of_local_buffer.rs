//! Returns a part of a queued buffer that is parked at the end of the function.

use ascendcl::memory::Host;
use ascendcl::queue::Part;
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result};

type Upload<'d> = Queued<'d, (Npu<0>, Main), HostBuf<'d, [u32]>>;

fn wrong<'b>(
    queued: Upload<'b>, //~ mistake
    //~ instead: queued: &'b Upload<'b>,
) -> Result<Part<'b, (Npu<0>, Main), Host, [u32]>> {
    queued.slice(0..16) //~ mistake
    //~ instead: queued.slice(0..16)
}

fn main() {
    let _ = wrong;
}
