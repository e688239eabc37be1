//! Waits for the device to free memory of a recording.

use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    bytes: DeviceBuf<'d, Npu<0>, [u8]>,
    current: Current<'_, 'd, Npu<0>>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        let own = recording.malloc::<u8>(4)?;
        let own = recording.memset_async(own, 1)?;
        recording.memcpy_async(&mut bytes, &own)?;
        own.free_with_dev_sync(current)?; //~ mistake
        Ok(())
    })?;
    drop(graph);
    Ok(())
}
