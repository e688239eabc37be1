//! Writes to a host buffer that a stream may be reading.

use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    source: Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
) -> Result<()> {
    //~ instead: let mut source = stream.synchronize()?.take(source);
    source[0] = 7; //~ mistake
    //~ instead: source[0] = 7;
    Ok(())
}
