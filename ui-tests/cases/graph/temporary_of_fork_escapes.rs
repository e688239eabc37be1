//! Keeps memory of the second stream behind the fork.
#![allow(unused)]

use ascendcl::{DeviceBuf, Npu, Result, Stream};

type Bytes<'dev> = DeviceBuf<'dev, Npu<0>, [u8]>;

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, a: Bytes<'_>, b: Bytes<'_>) -> Result<()> {
    let graph = stream.capture((a, b), |recording, (mut a, mut b)| {
        let own = recording.fork((), |_, side, ()| side.memset_async(side.malloc::<u8>(4)?, 1))?; //~ mistake
        //~ instead: let own = recording.memset_async(recording.malloc::<u8>(4)?, 1)?;
        recording.memcpy_async(&mut a, &own)?;
        recording.memcpy_async(&mut b, &a)
    })?;
    drop(graph);
    Ok(())
}
