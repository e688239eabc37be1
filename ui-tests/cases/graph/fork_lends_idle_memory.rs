//! Lends memory that the graph does not own to a second stream.

use ascendcl::{DeviceBuf, Npu, Result, Stream};

type Bytes<'dev> = DeviceBuf<'dev, Npu<0>, [u8]>;

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, bytes: Bytes<'_>, more: &mut Bytes<'_>) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.fork(more, |_, side, there| side.memset_async(there, 1))?; //~ mistake
        //~ instead: recording.fork(&mut bytes, |_, side, there| side.memset_async(there, 1))?;
        recording.memset_async(&mut bytes, 2)
    })?;
    drop((graph, more));
    Ok(())
}
