//! Records a fill of memory that the graph does not own.

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    bytes: DeviceBuf<'_, Npu<0>, [u8]>,
    more: &mut DeviceBuf<'_, Npu<0>, [u8]>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.memset_async(&mut bytes, 1)?;
        recording.memset_async(more, 1)?; //~ mistake
        Ok(())
    })?;
    drop(graph);
    Ok(())
}
