//! Names the root by a number.

use ascendcl::collective::Comm;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &mut Queued<'d, Q, Comm<'_, 'd, D>>,
    numbers: &mut Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
) -> Result<()> {
    comm.broadcast(stream, 1, numbers) //~ mistake
    //~ instead: comm.broadcast(stream, comm.rank(1)?, numbers)
}

fn main() {
    let _ = wrong;
}
