//! Moves a media channel into a recording.

use ascendcl::media::Channel;
use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong<'t, 'd>(
    stream: &mut Stream<'t, 'd, Npu<0>>,
    channel: Channel<'t, 'd, Npu<0>>,
    bytes: DeviceBuf<'d, Npu<0>, [u8]>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, bytes| {
        let channel = recording.adopt(channel); //~ mistake
        drop(channel); //~ mistake
        recording.memset_async(bytes, 1)
    })?;
    drop(graph);
    Ok(())
}
