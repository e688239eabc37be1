//! Moves a buffer into a recording, and not into the memory of the graph.

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    bytes: DeviceBuf<'d, Npu<0>, [u8]>,
    more: DeviceBuf<'d, Npu<0>, [u8]>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        let more = recording.adopt(more); //~ mistake
        //~ instead: let more = recording.memset_async(recording.malloc::<u8>(4)?, 1)?;
        recording.memcpy_async(&mut bytes, &more)
    })?;
    drop(graph);
    Ok(())
}
