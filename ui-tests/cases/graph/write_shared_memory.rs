//! Writes memory that several graphs share.

use ascendcl::queue::Shared;
use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    weights: Shared<Npu<0>, DeviceBuf<'_, Npu<0>, [f32]>>,
    own: DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let graph = stream.capture((weights, own), |recording, (weights, mut own)| {
        recording.memcpy_async(&mut own, &weights)?;
        recording.memset_async(weights, 0) //~ mistake
        //~ instead: recording.memset_async(&mut own, 0)
    })?;
    drop(graph);
    Ok(())
}
