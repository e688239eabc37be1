//! Frees memory after a wait that ended because the time was up, not the work.

use std::time::Duration;

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    numbers: Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    match stream.synchronize_within(Duration::from_millis(5)) {
        Ok(idle) => idle.take(numbers).free(),
        Err(_) => numbers.free(), //~ mistake
        //~ instead: Err(late) => Err(late),
    }
}
