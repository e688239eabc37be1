//! Waits for a recording, whose work does not run yet.

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, bytes: DeviceBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.memset_async(&mut bytes, 1)?;
        recording.synchronize()?; //~ mistake
        Ok(())
    })?;
    drop(graph);
    Ok(())
}
