//! Multiplies numbers of 16 bits, which no product does.

use ascendcl::collective::{Comm, Max, Prod};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, Q, Comm<'_, 'd, D>>,
    numbers: &mut Queued<'d, Q, DeviceBuf<'d, D, [i16]>>,
) -> Result<()> {
    let _ = (Prod, Max);
    stream.with(comm).all_reduce_in_place(Prod, numbers) //~ mistake
    //~ instead: stream.with(comm).all_reduce_in_place(Max, numbers)
}

fn main() {
    let _ = wrong;
}
