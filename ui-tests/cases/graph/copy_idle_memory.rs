//! Records a copy of memory that the graph does not own.

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    bytes: DeviceBuf<'_, Npu<0>, [u8]>,
    more: &DeviceBuf<'_, Npu<0>, [u8]>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, bytes| {
        recording.memcpy_async(bytes, more) //~ mistake
        //~ instead: recording.memset_async(bytes, 1)
    })?;
    drop(graph);
    Ok(())
}
