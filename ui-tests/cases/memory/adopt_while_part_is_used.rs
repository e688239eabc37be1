//! Hands a buffer to a stream while a part of it is used.

use ascendcl::{Current, HostBuf, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &Stream<'_, '_, Npu<0>>,
    host: HostBuf<'_, [u32]>,
) -> Result<()> {
    let part = host.slice(0..4)?;
    let queued = stream.adopt(host); //~ mistake
    current.memcpy(current.malloc::<u32>(4)?, part)?;
    //~ instead: let queued = stream.adopt(host);
    drop(queued);
    Ok(())
}
