//! Combines memory in place that nothing has written.

use ascendcl::collective::{Comm, Sum};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};
use ascendcl::memory::Uninit;

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, Q, Comm<'_, 'd, D>>,
    numbers: Queued<'d, Q, DeviceBuf<'d, D, [f32], Uninit>>,
) -> Result<()> {
    //~ instead: let mut numbers = stream.memset_async(numbers, 0)?;
    stream.with(comm).all_reduce_in_place(Sum, numbers) //~ mistake
    //~ instead: stream.with(comm).all_reduce_in_place(Sum, &mut numbers)
}

fn main() {
    let _ = wrong;
}
