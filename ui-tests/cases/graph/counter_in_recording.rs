//! Records a change of a counter, which each run would make again.

use ascendcl::event::{CntNotify, CntNotifyRecord};
use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    bytes: DeviceBuf<'_, Npu<0>, [u8]>,
    counter: &CntNotify<'_, Npu<0>>,
    change: CntNotifyRecord,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.cnt_notify_record(counter, change)?; //~ mistake
        recording.memset_async(&mut bytes, 1)
    })?;
    drop(graph);
    //~ instead: stream.cnt_notify_record(counter, change)?;
    Ok(())
}
