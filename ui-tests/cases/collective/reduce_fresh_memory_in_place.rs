//! Combines memory in place that nothing has written.

use ascendcl::collective::{Comm, Sum};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};
use ascendcl::memory::Uninit;

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &mut Queued<'d, Q, Comm<'_, 'd, D>>,
    numbers: Queued<'d, Q, DeviceBuf<'d, D, [f32], Uninit>>,
) -> Result<()> {
    //~ instead: let mut numbers = stream.memset_async(numbers, 0)?;
    comm.all_reduce_in_place(stream, Sum, numbers) //~ mistake
    //~ instead: comm.all_reduce_in_place(stream, Sum, &mut numbers)
}

fn main() {
    let _ = wrong;
}
