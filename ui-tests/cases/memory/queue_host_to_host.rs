//! Queues a copy from host memory to host memory.

use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    mut to: Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
    from: Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
) -> Result<()> {
    stream.memcpy_async(&mut to, &from)?; //~ mistake
    //~ instead: let idle = stream.synchronize()?;
    //~ instead: idle.take(to).copy_from_slice(&idle.take(from));
    Ok(())
}
