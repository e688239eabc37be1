//! Records a copy of memory of the recording that nothing has written.

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, bytes: DeviceBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        let own = recording.malloc::<u8>(4)?;
        //~ instead: let own = recording.memset_async(own, 1)?;
        recording.memcpy_async(&mut bytes, &own) //~ mistake
        //~ instead: recording.memcpy_async(&mut bytes, &own)
    })?;
    drop(graph);
    Ok(())
}
