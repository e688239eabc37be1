//! Reads a part of a buffer on another stream than the buffer's.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong(
    main: &mut Stream<'_, '_, Npu<0>, Main>,
    up: &mut Stream<'_, '_, Npu<0>, Upload>,
    source: &Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
    on_main: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
    on_up: &mut Queued<'_, (Npu<0>, Upload), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    let part = source.slice(0..16)?;
    up.memcpy_async(on_up, part)?; //~ mistake
    //~ instead: main.memcpy_async(on_main, part)?;
    Ok(())
}
