//! Makes a signal of a notify that was not recorded.
#![allow(unused)]

use ascendcl::event::{Notify, Signal};
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result, Stream, StreamName};

enum Second {}
impl StreamName for Second {}

type Q = (Npu<0>, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    notify: Queued<'d, Q, Notify<'d, Npu<0>, Second>>,
    queued: Queued<'d, Q, HostBuf<'d, [u32]>>,
) -> Result<Signal<'d, Q, Second, HostBuf<'d, [u32]>>> {
    Ok(Signal { queued, notify }) //~ mistake
    //~ instead: stream.record_notify(notify, queued)
}
