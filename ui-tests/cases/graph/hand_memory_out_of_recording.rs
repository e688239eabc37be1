//! Hands memory of a recording to another stream.

use ascendcl::event::Order;
use ascendcl::{DeviceBuf, Event, Npu, Result, Stream, StreamName};

enum Other {}
impl StreamName for Other {}

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    bytes: DeviceBuf<'d, Npu<0>, [u8]>,
    other: &mut Stream<'_, 'd, Npu<0>, Other>,
    event: &mut Event<'d, Npu<0>, Order>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        let own = recording.memset_async(recording.malloc::<u8>(4)?, 1)?;
        recording.memcpy_async(&mut bytes, &own)?;
        drop(recording.handoff(other, event, own)?); //~ mistake
        Ok(())
    })?;
    drop(graph);
    Ok(())
}
