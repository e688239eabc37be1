//! Frees a buffer that a stream may be using.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    queued: Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [f32]>>,
) -> Result<()> {
    queued.free() //~ mistake
    //~ instead: stream.synchronize()?.take(queued).free()
}
