//! Records an event that processes share in a recording.

use ascendcl::share::{Exported, SharedEvent};
use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    bytes: DeviceBuf<'d, Npu<0>, [u8]>,
    filled: &mut SharedEvent<'d, Exported<Npu<0>>>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        let own = recording.memset_async(recording.malloc::<u8>(4)?, 1)?;
        recording.memcpy_async(&mut bytes, &own)?;
        filled.record(recording)?; //~ mistake
        Ok(())
    })?;
    drop(graph);
    //~ instead: filled.record(stream)?;
    Ok(())
}
