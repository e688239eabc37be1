//! Keeps a proof behind the closure at whose end the stream is parked: another thread could queue work.

use ascendcl::stream::Main;
use ascendcl::{Current, HostBuf, Npu, ParkedStream, Queued, Result};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    mut parked: ParkedStream<'d, Npu<0>, Main>,
    queued: Queued<'d, (Npu<0>, Main), HostBuf<'d, [u32]>>,
) -> Result<()> {
    let idle = parked.with(current, |stream| stream.synchronize())?; //~ mistake
    let buf = idle.take(queued); //~ mistake
    //~ instead: let buf = parked.with(current, |stream| stream.synchronize().map(|idle| idle.take(queued)))?;
    buf.free()
}
