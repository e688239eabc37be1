//! Moves memory behind a fence to a recording.

use ascendcl::event::Fence;
use ascendcl::event::Order;
use ascendcl::{DeviceBuf, Event, Npu, Result, Stream, StreamName};

enum Other {}
impl StreamName for Other {}

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    bytes: DeviceBuf<'d, Npu<0>, [u8]>,
    fence: Fence<'d, (Npu<0>, Other), DeviceBuf<'d, Npu<0>, [u8]>, Event<'d, Npu<0>, Order>>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        let (own, _) = recording.wait_fence(fence)?; //~ mistake
        //~ instead: let own = recording.memset_async(recording.malloc::<u8>(4)?, 1)?;
        recording.memcpy_async(&mut bytes, &own)
    })?;
    drop(graph);
    Ok(())
}
