//! Uses a queued buffer after it was freed by the call that waits.

use ascendcl::queue::Queued;
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    stream: &mut Stream<'_, 'dev, Npu<0>, Main>,
    mut buf: Queued<'dev, (Npu<0>, Main), DeviceBuf<'dev, Npu<0>, [f32]>>,
) -> Result<()> {
    buf.free_with_dev_sync(current)?; //~ mistake
    stream.memset_async(&mut buf, 0)?;
    //~ instead: buf.free_with_dev_sync(current)?;
    Ok(())
}
