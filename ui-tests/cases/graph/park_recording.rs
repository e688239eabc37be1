//! Parks the stream that records.

use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    bytes: DeviceBuf<'d, Npu<0>, [u8]>,
    current: Current<'_, 'd, Npu<0>>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.memset_async(&mut bytes, 1)?;
        drop(current.park(recording)); //~ mistake
        Ok(())
    })?;
    drop(graph);
    Ok(())
}
