//! Takes a signal of another device.

use ascendcl::event::Signal;
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Result, Stream, StreamName};

enum Second {}
impl StreamName for Second {}

type Given<'d> = Signal<'d, (Npu<0>, Main), Second, HostBuf<'d, [u32]>>;

fn wrong<'d>(
    second: &mut Stream<'_, 'd, Npu<0>, Second>,
    on_1: &mut Stream<'_, 'd, Npu<1>, Second>,
    signal: Given<'d>,
) -> Result<()> {
    drop(on_1.wait_notify(signal)?); //~ mistake
    //~ instead: drop(second.wait_notify(signal)?);
    Ok(())
}
