//! Takes a launched operator back from its stream: only its output and its workspace are memory.

use ascendcl::op::Launched;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Memory<'d> = Queued<'d, (D, Main), DeviceBuf<'d, D, [f32]>>;

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D>,
    sum: Launched<'d, Memory<'d>, D, Main>,
) -> Result<DeviceBuf<'d, D, [f32]>> {
    let idle = stream.synchronize()?;
    let sum = idle.take(sum); //~ mistake
    //~ instead: let sum = idle.take(sum.into_output());
    Ok(sum)
}
