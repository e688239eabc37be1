//! Frees a buffer by its old name after it was handed to a stream.

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, buf: DeviceBuf<'_, Npu<0>, [u32]>) -> Result<()> {
    let mut queued = stream.adopt(buf);
    stream.memset_async(&mut queued, 0)?;
    buf.free() //~ mistake
    //~ instead: stream.synchronize()?.take(queued).free()
}
