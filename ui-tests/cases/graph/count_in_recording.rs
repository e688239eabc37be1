//! Records an operator whose output has a size that only a run tells.

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, bytes: DeviceBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        let found = recording.malloc::<i64>(4)?.into_tensor_up_to(&[4, 1])?; //~ mistake
        drop(found); //~ mistake
        recording.memset_async(&mut bytes, 1)
    })?;
    drop(graph);
    Ok(())
}
