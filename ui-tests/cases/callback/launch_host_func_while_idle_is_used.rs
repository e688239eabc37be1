//! Queues a host function while the proof that the stream is idle is in use.

use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    mut host: Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
) -> Result<()> {
    let idle = stream.synchronize()?;
    stream.launch_host_func_on(&mut host, |numbers| numbers.sort())?; //~ mistake
    idle.take(host).free()
}
