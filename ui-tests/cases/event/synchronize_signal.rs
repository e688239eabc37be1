//! Lets the host wait for a signal.

use ascendcl::event::{Event, Order, Signal};
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result, Stream, StreamName};

enum Second {}
impl StreamName for Second {}

type Q = (Npu<0>, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    event: Event<'d, Npu<0>, Order>,
    memory: Queued<'d, Q, HostBuf<'d, [u32]>>,
    signal: Signal<'d, Q, Second, HostBuf<'d, [u32]>>,
) -> Result<()> {
    signal.synchronize()?; //~ mistake
    drop((stream, event, memory)); //~ mistake
    //~ instead: drop((stream.fence(event, memory)?.synchronize()?, signal));
    Ok(())
}
