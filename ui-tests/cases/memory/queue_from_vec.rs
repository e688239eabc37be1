//! Queues a copy from a vector, which may be dropped before the copy begins.

use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, HostSide, Npu, Queued, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    side: HostSide<'_>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    target: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    let numbers = vec![7_u32; 16];
    stream.memcpy_async(target, &numbers)?; //~ mistake
    //~ instead: let mut host = current.malloc_host::<u32>(side, 16)?;
    //~ instead: host.copy_from_slice(&numbers);
    //~ instead: let source = stream.adopt(host);
    //~ instead: stream.memcpy_async(target, &source)?;
    Ok(())
}
