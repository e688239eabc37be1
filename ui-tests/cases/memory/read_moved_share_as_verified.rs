//! Reads a share because the stream that it was given to has succeeded.

use ascendcl::event::{Fence, Order};
use ascendcl::queue::Shared;
use ascendcl::stream::Main;
use ascendcl::{Event, HostBuf, Npu, Result, Stream, StreamName};

enum Download {}
impl StreamName for Download {}

type Share<'d> = Shared<Npu<0>, HostBuf<'d, [u32]>>;

fn wrong<'d>(
    down: &mut Stream<'_, 'd, Npu<0>, Download>,
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    fence: &Fence<'d, (Npu<0>, Download), Share<'d>, Event<'d, Npu<0>, Order>>,
) -> Result<u32> {
    let share = main.wait_shared(fence)?;
    let share = main.synchronize()?.take(share);
    //~ instead: let share = down.synchronize()?.verify(share);
    Ok(share[0]) //~ mistake
    //~ instead: Ok(share[0])
}
