//! Lets a host function touch device memory.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

type Q = (Npu<0>, Main);

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    on_device: &mut Queued<'_, Q, DeviceBuf<'_, Npu<0>, [u32]>>,
    host: &mut Queued<'_, Q, HostBuf<'_, [u32]>>,
) -> Result<()> {
    stream.launch_host_func_on(on_device, |numbers| numbers.sort())?; //~ mistake
    //~ instead: stream.memcpy_async(&mut *host, &*on_device)?;
    //~ instead: stream.launch_host_func_on(host, |numbers| numbers.sort())?;
    Ok(())
}
