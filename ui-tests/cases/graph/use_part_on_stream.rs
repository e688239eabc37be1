//! Queues work on a stream with a part of a graph.

use ascendcl::{DeviceBuf, Npu, Result, Stream, StreamName};

enum Other {}
impl StreamName for Other {}

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    bytes: DeviceBuf<'_, Npu<0>, [u8]>,
    other: &mut Stream<'_, '_, Npu<0>, Other>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        other.memset_async(&mut bytes, 1) //~ mistake
        //~ instead: recording.memset_async(&mut bytes, 1)
    })?;
    drop(graph);
    Ok(())
}
