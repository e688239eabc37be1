//! Gives a notify to a recording, which could record it more than once.

use ascendcl::event::Notify;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    bytes: DeviceBuf<'d, Npu<0>, [u8]>,
    notify: Notify<'d, Npu<0>, Main>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        let own = recording.memset_async(recording.malloc::<u8>(4)?, 1)?;
        recording.memcpy_async(&mut bytes, &own)?;
        drop(recording.adopt(notify)); //~ mistake
        Ok(())
    })?;
    drop(graph);
    //~ instead: drop(stream.adopt(notify));
    Ok(())
}
