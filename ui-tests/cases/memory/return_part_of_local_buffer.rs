//! Returns a part of a queued buffer that is parked at the end of the function.

use ascendcl::memory::{Host, Slice};
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result};

type Upload<'d> = Queued<'d, (Npu<0>, Main), HostBuf<'d, [u32]>>;

fn wrong<'b>(
    queued: Upload<'b>, //~ mistake
    //~ instead: queued: &'b Upload<'b>,
) -> Result<Slice<'b, Host, [u32], (Npu<0>, Main)>> {
    queued.slice(0..16) //~ mistake
    //~ instead: queued.slice(0..16)
}
