//! Records a notify again on the first stream, while the wait of the second one is still queued.

use ascendcl::event::{Notify, Signal};
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result, Stream, StreamName};

enum Second {}
impl StreamName for Second {}

type Q = (Npu<0>, Main);
type Memory<'d> = HostBuf<'d, [u32]>;

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    second: &mut Stream<'_, 'd, Npu<0>, Second>,
    signal: Signal<'d, Q, Second, Memory<'d>>,
    more: Queued<'d, Q, Memory<'d>>,
    other: Queued<'d, Q, Notify<'d, Npu<0>, Second>>,
) -> Result<()> {
    let (_memory, notify) = second.wait_notify(signal)?;
    drop(stream.record_notify(notify, more)?); //~ mistake
    //~ instead: drop((stream.record_notify(other, more)?, notify));
    Ok(())
}
