//! Lets a callback touch device memory.

use ascendcl::callback::Subscribed;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

type Q = (Npu<0>, Main);

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    subscribed: &Subscribed<Q>,
    on_device: &mut Queued<'_, Q, DeviceBuf<'_, Npu<0>, [u32]>>,
    host: &mut Queued<'_, Q, HostBuf<'_, [u32]>>,
) -> Result<()> {
    stream.launch_callback_on(subscribed, on_device, |numbers| numbers.sort())?; //~ mistake
    //~ instead: stream.memcpy_async(&mut *host, &*on_device)?;
    //~ instead: stream.launch_callback_on(subscribed, host, |numbers| numbers.sort())?;
    Ok(())
}
