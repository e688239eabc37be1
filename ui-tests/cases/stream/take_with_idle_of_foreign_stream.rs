//! Takes memory of a stream of the program with the proof of a borrowed one.

use ascendcl::interop::Foreign;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream, StreamName};

enum Torch {}
impl StreamName for Torch {}

fn wrong(
    own: &mut Stream<'_, '_, Npu<0>, Torch>,
    foreign: &mut Stream<'_, '_, Npu<0>, Foreign<Torch>>,
    queued: Queued<'_, (Npu<0>, Torch), DeviceBuf<'_, Npu<0>, [f32]>>,
) -> Result<()> {
    foreign.synchronize()?.take(queued).free() //~ mistake
    //~ instead: own.synchronize()?.take(queued).free()
}
