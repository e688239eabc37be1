//! Records a notify that the stream does not have.

use ascendcl::event::Notify;
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result, Stream, StreamName};

enum Second {}
impl StreamName for Second {}

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    notify: Notify<'d, Npu<0>, Second>,
    memory: Queued<'d, (Npu<0>, Main), HostBuf<'d, [u32]>>,
) -> Result<()> {
    drop(stream.record_notify(notify, memory)?); //~ mistake
    //~ instead: drop(stream.record_notify(stream.adopt(notify), memory)?);
    Ok(())
}
