//! Uses a part of the second stream on the first one.
#![allow(unused)]

use ascendcl::{DeviceBuf, Npu, Result, Stream};

type Bytes<'dev> = DeviceBuf<'dev, Npu<0>, [u8]>;

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, a: Bytes<'_>, b: Bytes<'_>) -> Result<()> {
    let graph = stream.capture((a, b), |recording, (mut a, mut b)| {
        recording.fork(&mut a, |recording, side, there| {
            recording.memset_async(there, 1)?; //~ mistake
            //~ instead: side.memset_async(there, 1)?;
            recording.memset_async(&mut b, 1)
        })
    })?;
    drop(graph);
    Ok(())
}
