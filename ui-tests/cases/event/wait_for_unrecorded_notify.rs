//! Waits for a notify that no stream has recorded.

use ascendcl::event::Notify;
use ascendcl::{HostBuf, Npu, Queued, Result, Stream, StreamName};

enum Second {}
impl StreamName for Second {}

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    second: &mut Stream<'_, 'd, Npu<0>, Second>,
    notify: Notify<'d, Npu<0>, Second>,
    memory: Queued<'d, (Npu<0>, ascendcl::stream::Main), HostBuf<'d, [u32]>>,
) -> Result<()> {
    drop(second.wait_notify(notify)?); //~ mistake
    drop((stream, memory)); //~ mistake
    //~ instead: let notify = stream.adopt(notify);
    //~ instead: drop(second.wait_notify(stream.record_notify(notify, memory)?)?);
    Ok(())
}
