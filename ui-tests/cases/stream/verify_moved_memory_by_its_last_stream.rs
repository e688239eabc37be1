//! Lets the stream that waited for a fence speak for the stream whose work was in front of it.

use ascendcl::event::{Fence, Order};
use ascendcl::stream::Main;
use ascendcl::{Event, HostBuf, Npu, Result, Stream, StreamName};

enum Download {}
impl StreamName for Download {}

fn wrong<'d>(
    down: &mut Stream<'_, 'd, Npu<0>, Download>,
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    fence: Fence<'d, (Npu<0>, Download), HostBuf<'d, [u32]>, Event<'d, Npu<0>, Order>>,
) -> Result<HostBuf<'d, [u32]>> {
    let (on_main, _event) = main.wait_fence(fence)?;
    let unverified = main.synchronize()?.take(on_main);
    Ok(main.synchronize()?.verify(unverified)) //~ mistake
    //~ instead: Ok(down.synchronize()?.verify(unverified))
}
