//! Keeps the recording outside of the closure.

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, bytes: DeviceBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    let mut kept = None; //~ mistake
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.memset_async(&mut bytes, 1)?;
        kept = Some(recording); //~ mistake
        Ok(())
    })?;
    drop(graph);
    Ok(())
}
