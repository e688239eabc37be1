//! Fills memory on one stream that another stream may be using.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong(
    main: &mut Stream<'_, '_, Npu<0>, Main>,
    up: &mut Stream<'_, '_, Npu<0>, Upload>,
    on_main: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    up.memset_async(on_main, 0)?; //~ mistake
    //~ instead: main.memset_async(on_main, 0)?;
    Ok(())
}
