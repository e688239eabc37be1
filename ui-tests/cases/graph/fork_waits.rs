//! Waits for the second stream of a recording.
#![allow(unused)]

use ascendcl::{DeviceBuf, Npu, Result, Stream};

type Bytes<'dev> = DeviceBuf<'dev, Npu<0>, [u8]>;

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, a: Bytes<'_>, b: Bytes<'_>) -> Result<()> {
    let graph = stream.capture((a, b), |recording, (mut a, mut b)| {
        recording.fork(&mut a, |_, side, there| {
            side.memset_async(there, 1)?;
            side.synchronize()?; //~ mistake
            Ok(())
        })?;
        recording.memset_async(&mut b, 1)
    })?;
    drop(graph);
    Ok(())
}
