//! Uses a part of the first stream on the second one.
#![allow(unused)]

use ascendcl::{DeviceBuf, Npu, Result, Stream};

type Bytes<'dev> = DeviceBuf<'dev, Npu<0>, [u8]>;

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, a: Bytes<'_>, b: Bytes<'_>) -> Result<()> {
    let graph = stream.capture((a, b), |recording, (mut a, mut b)| {
        recording.fork(&a, |recording, side, _| {
            side.memset_async(&mut b, 1)?; //~ mistake
            //~ instead: recording.memset_async(&mut b, 1)?;
            recording.memcpy_async(&mut b, &a)
        })
    })?;
    drop(graph);
    Ok(())
}
