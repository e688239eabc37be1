//! Captures a stream of another library.

use ascendcl::interop::Foreign;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(
    own: &mut Stream<'_, '_, Npu<0>>,
    foreign: &mut Stream<'_, '_, Npu<0>, Foreign<Main>>,
    bytes: DeviceBuf<'_, Npu<0>, [u8]>,
) -> Result<()> {
    let graph = foreign.capture(bytes, |recording, bytes| recording.memset_async(bytes, 1))?; //~ mistake
    //~ instead: let graph = own.capture(bytes, |recording, bytes| recording.memset_async(bytes, 1))?;
    drop(graph);
    Ok(())
}
