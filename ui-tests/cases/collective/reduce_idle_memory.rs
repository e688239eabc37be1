//! Passes memory that no stream has to a reduction.

use ascendcl::collective::{Comm, Sum};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, Q, Comm<'_, 'd, D>>,
    mut numbers: DeviceBuf<'d, D, [f32]>, //~ mistake
    //~ instead: numbers: DeviceBuf<'d, D, [f32]>,
) -> Result<()> {
    //~ instead: let mut numbers = stream.adopt(numbers);
    stream.with(comm).all_reduce_in_place(Sum, &mut numbers) //~ mistake
    //~ instead: stream.with(comm).all_reduce_in_place(Sum, &mut numbers)
}

fn main() {
    let _ = wrong;
}
