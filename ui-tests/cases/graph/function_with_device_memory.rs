//! Lends device memory to a function of the host.

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, bytes: DeviceBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.each_run_on(&mut bytes, |bytes| bytes.reverse()) //~ mistake
        //~ instead: recording.memset_async(&mut bytes, 1)
    })?;
    drop(graph);
    Ok(())
}
