//! Lends one part twice to a second stream.
#![allow(unused)]

use ascendcl::{DeviceBuf, Npu, Result, Stream};

type Bytes<'dev> = DeviceBuf<'dev, Npu<0>, [u8]>;

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, a: Bytes<'_>, b: Bytes<'_>) -> Result<()> {
    let graph = stream.capture((a, b), |recording, (mut a, mut b)| {
        recording.fork((&mut a, &mut a), |_, side, (a, _)| side.memset_async(a, 1))?; //~ mistake
        //~ instead: recording.fork((&mut a, &mut b), |_, side, (a, _)| side.memset_async(a, 1))?;
        recording.memset_async(&mut b, 2)
    })?;
    drop(graph);
    Ok(())
}
