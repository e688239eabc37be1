//! Queues a function of the host with memory of the graph that runs once.

use ascendcl::{HostBuf, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, bytes: HostBuf<'_, [u8]>) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.launch_host_func_on(&mut bytes, |bytes| bytes.reverse()) //~ mistake
        //~ instead: recording.each_run_on(&mut bytes, |bytes| bytes.reverse())
    })?;
    drop(graph);
    Ok(())
}
