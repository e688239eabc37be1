//! Moves a model into a recording.

use ascendcl::model::Model;
use ascendcl::model::Queueing;
use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    bytes: DeviceBuf<'d, Npu<0>, [u8]>,
    model: Model<'_, 'd, Npu<0>, Queueing>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        let model = recording.adopt(model); //~ mistake
        drop(model); //~ mistake
        recording.memset_async(&mut bytes, 1)
    })?;
    drop(graph);
    Ok(())
}
