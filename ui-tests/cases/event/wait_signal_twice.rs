//! Waits twice for one signal.

use ascendcl::event::Signal;
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Result, Stream, StreamName};

enum Second {}
impl StreamName for Second {}

fn wrong<'d>(
    second: &mut Stream<'_, 'd, Npu<0>, Second>,
    signal: Signal<'d, (Npu<0>, Main), Second, HostBuf<'d, [u32]>>,
) -> Result<()> {
    drop(second.wait_notify(signal)?);
    drop(second.wait_notify(signal)?); //~ mistake
    Ok(())
}
