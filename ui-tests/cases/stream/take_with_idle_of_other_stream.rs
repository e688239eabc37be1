//! Takes a buffer back from one stream because another one is idle.

use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result, Stream, StreamName};

enum Download {}
impl StreamName for Download {}

fn wrong<'d>(
    main: &mut Stream<'_, '_, Npu<0>, Main>,
    down: &mut Stream<'_, '_, Npu<0>, Download>,
    on_down: Queued<'_, (Npu<0>, Download), HostBuf<'d, [u32]>>,
) -> Result<HostBuf<'d, [u32]>> {
    let idle = main.synchronize()?; //~ mistake
    //~ instead: let idle = down.synchronize()?;
    Ok(idle.take(on_down)) //~ mistake
    //~ instead: Ok(idle.take(on_down))
}
