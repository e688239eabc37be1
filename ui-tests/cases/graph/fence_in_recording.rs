//! Puts a fence behind memory of a recording.

use ascendcl::event::Order;
use ascendcl::{DeviceBuf, Event, Npu, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    bytes: DeviceBuf<'d, Npu<0>, [u8]>,
    event: Event<'d, Npu<0>, Order>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        let own = recording.memset_async(recording.malloc::<u8>(4)?, 1)?;
        recording.memcpy_async(&mut bytes, &own)?;
        drop(recording.fence(event, own)?); //~ mistake
        Ok(())
    })?;
    drop(graph);
    Ok(())
}
