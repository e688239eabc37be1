//! Takes the memory of a signal on its first stream.

use ascendcl::event::Signal;
use ascendcl::stream::{Idle, Main};
use ascendcl::{HostBuf, Npu, Result, Stream, StreamName};

enum Second {}
impl StreamName for Second {}

fn wrong<'d>(
    idle: Idle<'_, (Npu<0>, Main)>,
    second: &mut Stream<'_, 'd, Npu<0>, Second>,
    signal: Signal<'d, (Npu<0>, Main), Second, HostBuf<'d, [u32]>>,
) -> Result<()> {
    drop(idle.take(signal)); //~ mistake
    drop(second); //~ mistake
    //~ instead: let (memory, _) = second.wait_notify(signal)?;
    //~ instead: drop(idle.verify(second.synchronize()?.take(memory)));
    Ok(())
}
