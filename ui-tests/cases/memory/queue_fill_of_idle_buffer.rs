//! Queues a fill of a buffer that was not handed to the stream.

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, mut buf: DeviceBuf<'_, Npu<0>, [u32]>) -> Result<()> {
    //~ instead: let mut queued = stream.adopt(buf);
    stream.memset_async(&mut buf, 0)?; //~ mistake
    //~ instead: stream.memset_async(&mut queued, 0)?;
    Ok(())
}
