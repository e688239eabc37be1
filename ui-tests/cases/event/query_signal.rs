//! Asks whether a signal was given.

use ascendcl::event::{Event, EventStatus, Order, Signal};
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Result, Stream, StreamName};

enum Second {}
impl StreamName for Second {}

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    event: &mut Event<'d, Npu<0>, Order>,
    signal: &Signal<'d, (Npu<0>, Main), Second, HostBuf<'d, [u32]>>,
) -> Result<EventStatus> {
    let _ = signal;
    //~ instead: return stream.record(event)?.query();
    drop((stream, event)); //~ mistake
    signal.query() //~ mistake
}
