//! Keeps a part of the second stream behind the fork.
#![allow(unused)]

use ascendcl::{DeviceBuf, Npu, Result, Stream};

type Bytes<'dev> = DeviceBuf<'dev, Npu<0>, [u8]>;

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, a: Bytes<'_>, b: Bytes<'_>) -> Result<()> {
    let graph = stream.capture((a, b), |recording, (mut a, mut b)| {
        let there = recording.fork(&mut a, |_, _, there| Ok(there))?; //~ mistake
        recording.memset_async(there, 1) //~ mistake
        //~ instead: recording.fork(&mut a, |_, side, there| side.memset_async(there, 1))?;
        //~ instead: recording.memset_async(&mut b, 1)
    })?;
    drop(graph);
    Ok(())
}
