//! Lends a buffer to a stream for as long as a borrow lasts.
#![allow(unused)]

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, mut buf: DeviceBuf<'_, Npu<0>, [u32]>) -> Result<()> {
    let queued = stream.adopt(&mut buf); //~ mistake
    //~ instead: let queued = stream.adopt(buf);
    Ok(())
}
