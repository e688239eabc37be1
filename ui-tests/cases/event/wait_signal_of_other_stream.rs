//! Takes a signal on another stream than the one that waits for the notify.

use ascendcl::event::Signal;
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Result, Stream, StreamName};

enum Second {}
impl StreamName for Second {}
enum Third {}
impl StreamName for Third {}

fn wrong<'d>(
    second: &mut Stream<'_, 'd, Npu<0>, Second>,
    third: &mut Stream<'_, 'd, Npu<0>, Third>,
    signal: Signal<'d, (Npu<0>, Main), Second, HostBuf<'d, [u32]>>,
) -> Result<()> {
    drop(third.wait_notify(signal)?); //~ mistake
    //~ instead: drop(second.wait_notify(signal)?);
    Ok(())
}
