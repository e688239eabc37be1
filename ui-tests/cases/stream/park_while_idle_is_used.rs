//! Takes a stream off its thread while the proof that it is idle is in use.

use ascendcl::stream::Main;
use ascendcl::{Current, HostBuf, Npu, Queued, Result, Stream};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    mut stream: Stream<'_, 'd, Npu<0>, Main>,
    queued: Queued<'d, (Npu<0>, Main), HostBuf<'d, [u32]>>,
) -> Result<()> {
    let idle = stream.synchronize()?;
    let parked = current.park(stream); //~ mistake
    idle.take(queued).free()?;
    //~ instead: let parked = current.park(stream);
    drop(parked);
    Ok(())
}
