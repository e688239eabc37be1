//! Writes to a part of a buffer on another stream than the buffer's.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong(
    main: &mut Stream<'_, '_, Npu<0>, Main>,
    up: &mut Stream<'_, '_, Npu<0>, Upload>,
    on_main: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    let part = on_main.slice_mut(0..16)?;
    up.memset_async(part, 0)?; //~ mistake
    //~ instead: main.memset_async(part, 0)?;
    Ok(())
}
