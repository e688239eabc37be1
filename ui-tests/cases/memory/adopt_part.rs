//! Hands a part of a buffer to a stream.
#![allow(unused)]

use ascendcl::{HostBuf, Npu, Result, Stream};

fn wrong(stream: &Stream<'_, '_, Npu<0>>, host: HostBuf<'_, [u32]>) -> Result<()> {
    let part = stream.adopt(host.slice(0..4)?); //~ mistake
    //~ instead: let queued = stream.adopt(host);
    //~ instead: let part = queued.slice(0..4)?;
    Ok(())
}
