//! Lends fresh memory to a queued copy instead of giving it away.

use ascendcl::stream::Main;
use ascendcl::{Current, HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    source: &Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
) -> Result<()> {
    let mut target = stream.adopt(current.malloc::<u32>(16)?); //~ mistake
    stream.memcpy_async(&mut target, source)?; //~ mistake
    //~ instead: let target = stream.adopt(current.malloc::<u32>(16)?);
    //~ instead: drop(stream.memcpy_async(target, source)?);
    Ok(())
}
