//! Makes a stream wait for a fence whose event only the host can wait for.

use ascendcl::event::{Order, Progress};
use ascendcl::{Event, HostBuf, Npu, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong<'d>(
    up: &mut Stream<'_, 'd, Npu<0>, Upload>,
    main: &mut Stream<'_, 'd, Npu<0>>,
    progress: Event<'d, Npu<0>, Progress>,
    order: Event<'d, Npu<0>, Order>,
    host: HostBuf<'d, [u32]>,
) -> Result<()> {
    let fence = up.fence(progress, up.adopt(host))?; //~ mistake
    //~ instead: let fence = up.fence(order, up.adopt(host))?;
    drop(main.wait_fence(fence)?); //~ mistake
    //~ instead: drop(main.wait_fence(fence)?);
    Ok(())
}
