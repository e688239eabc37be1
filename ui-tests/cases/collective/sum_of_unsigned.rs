//! Adds bytes without a sign, which no product does.

use ascendcl::collective::{Comm, Sum};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, Q, Comm<'_, 'd, D>>,
    bytes: &mut Queued<'d, Q, DeviceBuf<'d, D, [u8]>>,
    numbers: &mut Queued<'d, Q, DeviceBuf<'d, D, [i32]>>,
) -> Result<()> {
    let _ = (&bytes, &numbers);
    stream.with(comm).all_reduce_in_place(Sum, bytes) //~ mistake
    //~ instead: stream.with(comm).all_reduce_in_place(Sum, numbers)
}

fn main() {
    let _ = wrong;
}
