//! Uses a parked stream while it records.

use ascendcl::stream::Numbered;
use ascendcl::{Current, DeviceBuf, Npu, ParkedStream, Result};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    parked: &mut ParkedStream<'d, Npu<0>, Numbered>,
    bytes: DeviceBuf<'d, Npu<0>, [u8]>,
) -> Result<()> {
    parked.with(current, |stream| {
        let graph = stream.capture(bytes, |recording, bytes| {
            parked.with(current, |stream| stream.synchronize().map(drop))?; //~ mistake
            recording.memset_async(bytes, 1)
        })?;
        drop(graph);
        Ok(())
    })
}
