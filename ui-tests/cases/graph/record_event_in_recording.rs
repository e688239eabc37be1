//! Records an event in a recording.

use ascendcl::event::Order;
use ascendcl::{DeviceBuf, Event, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    bytes: DeviceBuf<'_, Npu<0>, [u8]>,
    event: &mut Event<'_, Npu<0>, Order>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.memset_async(&mut bytes, 1)?;
        recording.record(event)?; //~ mistake
        Ok(())
    })?;
    drop(graph);
    Ok(())
}
