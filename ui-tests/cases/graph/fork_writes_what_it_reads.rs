//! Lends one part for reading and for writing.
#![allow(unused)]

use ascendcl::{DeviceBuf, Npu, Result, Stream};

type Bytes<'dev> = DeviceBuf<'dev, Npu<0>, [u8]>;

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, a: Bytes<'_>, b: Bytes<'_>) -> Result<()> {
    let graph = stream.capture((a, b), |recording, (mut a, mut b)| {
        recording.fork((&a, &mut a), |_, side, (from, to)| side.memcpy_async(to, &from))?; //~ mistake
        //~ instead: recording.fork((&a, &mut b), |_, side, (from, to)| side.memcpy_async(to, &from))?;
        recording.memset_async(&mut b, 2)
    })?;
    drop(graph);
    Ok(())
}
