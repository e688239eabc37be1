//! Destroys a notify while a stream may still wait for it.

use ascendcl::event::Signal;
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Result, Stream, StreamName};

enum Second {}
impl StreamName for Second {}

fn wrong<'d>(
    second: &mut Stream<'_, 'd, Npu<0>, Second>,
    signal: Signal<'d, (Npu<0>, Main), Second, HostBuf<'d, [u32]>>,
) -> Result<()> {
    let (_memory, notify) = second.wait_notify(signal)?;
    notify.destroy() //~ mistake
    //~ instead: second.synchronize()?.take(notify).destroy()
}
