//! Queues a copy between buffers of two lengths that the compiler knows.

use ascendcl::memory::Arr;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    eight: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, u32, Arr<8>>>,
    four: &Queued<'_, (Npu<0>, Main), HostBuf<'_, u32, Arr<4>>>,
) -> Result<()> {
    stream.memcpy_async(eight, four)?; //~ mistake
    //~ instead: stream.memcpy_async(eight.slice_mut(0..4)?, four)?;
    Ok(())
}

fn main() {
    let _ = wrong;
}
