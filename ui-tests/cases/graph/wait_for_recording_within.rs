//! Waits for a recording with a limit.

use std::time::Duration;

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, bytes: DeviceBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.memset_async(&mut bytes, 1)?;
        recording.synchronize_within(Duration::from_secs(1))?; //~ mistake
        Ok(())
    })?;
    drop(graph);
    Ok(())
}
