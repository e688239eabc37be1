//! Passes a result buffer with elements of another type.

use ascendcl::collective::{Comm, Sum};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, Q, Comm<'_, 'd, D>>,
    own: &Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
    sums: &mut Queued<'d, Q, DeviceBuf<'d, D, [i32]>>, //~ mistake
    //~ instead: sums: &mut Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
) -> Result<()> {
    stream.with(comm).all_reduce(Sum, own, sums)
}

fn main() {
    let _ = wrong;
}
