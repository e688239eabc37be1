//! Lends memory that the graph does not own to a function of the host.

use ascendcl::{HostBuf, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    bytes: HostBuf<'_, [u8]>,
    more: &mut HostBuf<'_, [u8]>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.each_run_on(more, |bytes| bytes.reverse()) //~ mistake
        //~ instead: recording.each_run_on(&mut bytes, |bytes| bytes.reverse())
    })?;
    drop(graph);
    Ok(())
}
