//! Lends a source to a stream for as long as a borrow lasts.
#![allow(unused)]

use ascendcl::{HostBuf, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, host: HostBuf<'_, [u32]>) -> Result<()> {
    let queued = stream.adopt(&host); //~ mistake
    //~ instead: let queued = stream.adopt(host);
    Ok(())
}
