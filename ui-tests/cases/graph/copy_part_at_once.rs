//! Copies to a part of a graph by a blocking call.

use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    bytes: DeviceBuf<'_, Npu<0>, [u8]>,
    current: Current<'_, '_, Npu<0>>,
    more: &DeviceBuf<'_, Npu<0>, [u8]>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        current.memcpy(&mut bytes, more)?; //~ mistake
        recording.memset_async(&mut bytes, 1)
    })?;
    drop(graph);
    Ok(())
}
