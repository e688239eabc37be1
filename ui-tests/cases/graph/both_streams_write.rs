//! Writes a part on both streams of a recording.
#![allow(unused)]

use ascendcl::{DeviceBuf, Npu, Result, Stream};

type Bytes<'dev> = DeviceBuf<'dev, Npu<0>, [u8]>;

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, a: Bytes<'_>, b: Bytes<'_>) -> Result<()> {
    let graph = stream.capture((a, b), |recording, (mut a, mut b)| {
        recording.fork(&mut a, |recording, side, there| { //~ mistake
            side.memset_async(there, 1)?; //~ mistake
            recording.memset_async(&mut a, 2) //~ mistake
        })?; //~ mistake
        //~ instead: recording.fork(&mut a, |recording, side, there| {
        //~ instead:     side.memset_async(there, 1)?;
        //~ instead:     recording.memset_async(&mut b, 2)
        //~ instead: })?;
        recording.memset_async(&mut b, 2)
    })?;
    drop(graph);
    Ok(())
}
