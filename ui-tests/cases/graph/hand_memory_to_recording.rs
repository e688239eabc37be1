//! Hands memory of another stream to a recording.

use ascendcl::event::Order;
use ascendcl::{DeviceBuf, Event, Npu, Queued, Result, Stream, StreamName};

enum Other {}
impl StreamName for Other {}

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    bytes: DeviceBuf<'d, Npu<0>, [u8]>,
    other: &mut Stream<'_, 'd, Npu<0>, Other>,
    event: &mut Event<'d, Npu<0>, Order>,
    own: Queued<'d, (Npu<0>, Other), DeviceBuf<'d, Npu<0>, [u8]>>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        let own = other.handoff(recording, event, own)?; //~ mistake
        //~ instead: let own = recording.memset_async(recording.malloc::<u8>(4)?, 1)?;
        recording.memcpy_async(&mut bytes, &own)
    })?;
    drop(graph);
    Ok(())
}
