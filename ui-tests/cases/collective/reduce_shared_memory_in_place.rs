//! Combines memory in place that is borrowed for reading.

use ascendcl::collective::{Comm, Sum};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, Q, Comm<'_, 'd, D>>,
    numbers: &mut Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
) -> Result<()> {
    stream.with(comm).all_reduce_in_place(Sum, &*numbers) //~ mistake
    //~ instead: stream.with(comm).all_reduce_in_place(Sum, numbers)
}

fn main() {
    let _ = wrong;
}
