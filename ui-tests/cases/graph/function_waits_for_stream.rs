//! Waits for a stream in a function of the host.

use ascendcl::{DeviceBuf, Npu, Result, Stream, StreamName};

enum Other {}
impl StreamName for Other {}

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    bytes: DeviceBuf<'_, Npu<0>, [u8]>,
    other: Stream<'static, 'static, Npu<0>, Other>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.each_run(|| drop(other.synchronize()))?; //~ mistake
        recording.memset_async(&mut bytes, 1)
    })?;
    drop(graph);
    Ok(())
}
