//! Queues an operation while a proof that the stream is idle is in use.

use ascendcl::collective::Comm;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, Q, Comm<'_, 'd, D>>,
    numbers: Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
) -> Result<DeviceBuf<'d, D, [f32]>> {
    let idle = stream.synchronize()?;
    stream.with(comm).barrier()?; //~ mistake
    let numbers = idle.take(numbers);
    //~ instead: stream.with(comm).barrier()?;
    Ok(numbers)
}
