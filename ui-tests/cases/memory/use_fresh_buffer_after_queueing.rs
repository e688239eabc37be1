//! Uses fresh memory by the name that it had before the copy which writes it was queued.

use ascendcl::stream::Main;
use ascendcl::{Current, HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    source: &Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
) -> Result<()> {
    let target = stream.adopt(current.malloc::<u32>(16)?);
    stream.memcpy_async(target, source)?; //~ mistake
    stream.synchronize()?.take(target).free() //~ mistake
    //~ instead: let target = stream.memcpy_async(target, source)?;
    //~ instead: stream.synchronize()?.take(target).free()
}
