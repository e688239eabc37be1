//! Reads a part on one stream while the other one writes it.
#![allow(unused)]

use ascendcl::{DeviceBuf, Npu, Result, Stream};

type Bytes<'dev> = DeviceBuf<'dev, Npu<0>, [u8]>;

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, a: Bytes<'_>, b: Bytes<'_>) -> Result<()> {
    let graph = stream.capture((a, b), |recording, (mut a, mut b)| {
        recording.fork(&mut a, |recording, side, there| { //~ mistake
        //~ instead: recording.fork(&a, |recording, side, there| {
            side.memset_async(there, 1)?; //~ mistake
            //~ instead: drop(side.memcpy_async(side.malloc(4)?, &there)?);
            recording.memcpy_async(&mut b, &a) //~ mistake
            //~ instead: recording.memcpy_async(&mut b, &a)
        })
    })?;
    drop(graph);
    Ok(())
}
