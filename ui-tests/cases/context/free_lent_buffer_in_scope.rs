//! Frees a buffer in the scope in which it is lent to the device.

use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &Stream<'_, '_, Npu<0>>,
    slot: &mut Option<DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    current.scope(|scope| {
        let lent = slot.as_ref().map(|buf| stream.adopt(scope.lend(buf)));
        *slot = None; //~ mistake
        drop(lent);
    })?;
    //~ instead: *slot = None;
    Ok(())
}
