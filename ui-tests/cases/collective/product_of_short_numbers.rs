//! Multiplies numbers of 16 bits, which no product does.

use ascendcl::collective::{Comm, Max, Prod};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &mut Queued<'d, Q, Comm<'_, 'd, D>>,
    numbers: &mut Queued<'d, Q, DeviceBuf<'d, D, [i16]>>,
) -> Result<()> {
    let _ = (Prod, Max);
    comm.all_reduce_in_place(stream, Prod, numbers) //~ mistake
    //~ instead: comm.all_reduce_in_place(stream, Max, numbers)
}

fn main() {
    let _ = wrong;
}
