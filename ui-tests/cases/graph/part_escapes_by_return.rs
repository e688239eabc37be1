//! Returns a part of the memory from the closure.

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, bytes: DeviceBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.memset_async(&mut bytes, 1)?;
        Ok(bytes) //~ mistake
        //~ instead: Ok(())
    })?;
    drop(graph);
    Ok(())
}
