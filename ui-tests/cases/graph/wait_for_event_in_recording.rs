//! Lets a recording wait for an event of another stream.

use ascendcl::event::Order;
use ascendcl::{DeviceBuf, Event, Npu, Result, Stream, StreamName};

enum Other {}
impl StreamName for Other {}

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    bytes: DeviceBuf<'_, Npu<0>, [u8]>,
    other: &mut Stream<'_, '_, Npu<0>, Other>,
    event: &mut Event<'_, Npu<0>, Order>,
) -> Result<()> {
    let event = other.record(event)?;
    //~ instead: stream.wait(event)?;
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.wait(event)?; //~ mistake
        recording.memset_async(&mut bytes, 1)
    })?;
    drop(graph);
    Ok(())
}
