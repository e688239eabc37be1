//! Returns memory of the recording from the closure.

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, bytes: DeviceBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    let graph = stream.capture(bytes, |recording, bytes| {
        let own = recording.memset_async(recording.malloc::<u8>(4)?, 1)?;
        recording.memcpy_async(bytes, &own)?;
        Ok(own) //~ mistake
        //~ instead: Ok(())
    })?;
    drop(graph);
    Ok(())
}
