//! Copies the result of an operation to the host before the stream was waited for.

use ascendcl::collective::{Comm, Sum};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    current: Current<'_, 'd, D>,
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, Q, Comm<'_, 'd, D>>,
    mut numbers: Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
    back: &mut HostBuf<'d, [f32]>,
) -> Result<()> {
    stream.with(comm).all_reduce_in_place(Sum, &mut numbers)?;
    //~ instead: let numbers = stream.synchronize()?.take(numbers);
    current.memcpy(back, &numbers) //~ mistake
    //~ instead: current.memcpy(back, &numbers)
}

fn main() {
    let _ = wrong;
}
