//! Makes a fence of an event that was not recorded behind the work.
#![allow(unused)]

use ascendcl::event::{Fence, Order};
use ascendcl::stream::Main;
use ascendcl::{Event, HostBuf, Npu, Queued, Result, Stream};

type Memory<'d> = HostBuf<'d, [u32]>;
type Marked<'d> = Fence<'d, (Npu<0>, Main), Memory<'d>, Event<'d, Npu<0>, Order>>;

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    event: Event<'d, Npu<0>, Order>,
    queued: Queued<'d, (Npu<0>, Main), Memory<'d>>,
) -> Result<Marked<'d>> {
    Ok(Fence { queued, event }) //~ mistake
    //~ instead: stream.fence(event, queued)
}
