//! Takes a buffer back with a proof of the end that is older than the fill of it.

use ascendcl::queue::Unverified;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type Memory<'d> = DeviceBuf<'d, Npu<0>, [u32]>;

fn wrong<'d>(
    stream: &mut Stream<'_, '_, Npu<0>>,
    mut queued: Queued<'d, (Npu<0>, Main), Memory<'d>>,
) -> Result<Unverified<'d, (Npu<0>, Main), Memory<'d>>> {
    let drained = stream.drain()?; //~ mistake
    stream.memset_async(&mut queued, 0)?; //~ mistake
    //~ instead: stream.memset_async(&mut queued, 0)?;
    //~ instead: let drained = stream.drain()?;
    Ok(drained.take(queued))
}
