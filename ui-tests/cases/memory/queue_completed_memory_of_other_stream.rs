//! Copies from memory whose first stream nobody has asked.

use ascendcl::queue::Completed;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong<'d>(
    up: &mut Stream<'_, 'd, Npu<0>, Upload>,
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    back: &mut Queued<'d, (Npu<0>, Main), HostBuf<'d, u32>>,
    completed: Completed<'d, (Npu<0>, Upload), DeviceBuf<'d, Npu<0>, u32>>,
) -> Result<()> {
    main.memcpy_async(back, &completed) //~ mistake
    //~ instead: let verified = main.adopt(up.synchronize()?.verify(completed));
    //~ instead: main.memcpy_async(back, &verified)
}

fn main() {
    let _ = wrong;
}
