//! Copies host memory that a stream of the same name on another device may be writing.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    on_0: &mut Stream<'_, '_, Npu<0>>,
    target: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
    host_of_0: &Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
    host_of_1: &Queued<'_, (Npu<1>, Main), HostBuf<'_, [u32]>>,
) -> Result<()> {
    on_0.memcpy_async(target, host_of_1)?; //~ mistake
    //~ instead: on_0.memcpy_async(target, host_of_0)?;
    Ok(())
}
