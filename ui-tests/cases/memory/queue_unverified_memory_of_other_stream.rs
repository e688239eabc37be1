//! Copies from memory whose first stream nobody has asked.

use ascendcl::queue::Unverified;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong<'d>(
    up: &mut Stream<'_, 'd, Npu<0>, Upload>,
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    back: &mut Queued<'d, (Npu<0>, Main), HostBuf<'d, [u32]>>,
    unverified: Unverified<'d, (Npu<0>, Upload), DeviceBuf<'d, Npu<0>, [u32]>>,
) -> Result<()> {
    main.memcpy_async(back, &unverified) //~ mistake
    //~ instead: let verified = main.adopt(up.synchronize()?.verify(unverified));
    //~ instead: main.memcpy_async(back, &verified)
}
