//! Lets a thread serve the callbacks of a recording.

use ascendcl::callback::ReportThreadId;
use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    bytes: DeviceBuf<'_, Npu<0>, [u8]>,
    thread: &ReportThreadId<Npu<0>>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        let subscribed = recording.subscribe_report(thread)?; //~ mistake
        drop(subscribed); //~ mistake
        recording.memset_async(&mut bytes, 1)
    })?;
    drop(graph);
    Ok(())
}
