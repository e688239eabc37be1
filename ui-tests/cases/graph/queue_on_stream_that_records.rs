//! Queues work on the stream that records.

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, bytes: DeviceBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        stream.memset_async(&mut bytes, 1) //~ mistake
        //~ instead: recording.memset_async(&mut bytes, 1)
    })?;
    drop(graph);
    Ok(())
}
