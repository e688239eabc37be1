//! Uses memory that a graph owns.

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, bytes: DeviceBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    let mut graph = stream.capture(bytes, |recording, bytes| recording.memset_async(bytes, 1))?;
    graph.launch(stream)?;
    //~ instead: let bytes = stream.synchronize()?.take(graph).destroy()?;
    bytes.free()?; //~ mistake
    //~ instead: bytes.free()?;
    Ok(())
}
