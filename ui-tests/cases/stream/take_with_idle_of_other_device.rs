//! Takes a buffer back because a stream of the same name on another device is idle.

use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result, Stream};

fn wrong<'d>(
    on_0: &mut Stream<'_, '_, Npu<0>, Main>,
    on_1: &mut Stream<'_, '_, Npu<1>, Main>,
    host: Queued<'_, (Npu<1>, Main), HostBuf<'d, [u32]>>,
) -> Result<HostBuf<'d, [u32]>> {
    let idle = on_0.synchronize()?; //~ mistake
    //~ instead: let idle = on_1.synchronize()?;
    Ok(idle.take(host)) //~ mistake
    //~ instead: Ok(idle.take(host))
}
