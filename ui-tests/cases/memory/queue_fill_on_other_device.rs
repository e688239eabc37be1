//! Fills memory of one device on a stream of another.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

fn wrong(
    on_0: &mut Stream<'_, '_, Npu<0>>,
    on_1: &mut Stream<'_, '_, Npu<1>>,
    buf_on_1: &mut Queued<'_, (Npu<1>, Main), DeviceBuf<'_, Npu<1>, [u32]>>,
) -> Result<()> {
    on_0.memset_async(buf_on_1, 0)?; //~ mistake
    //~ instead: on_1.memset_async(buf_on_1, 0)?;
    Ok(())
}
