//! Names the root by a number.

use ascendcl::collective::Comm;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, Q, Comm<'_, 'd, D>>,
    numbers: &mut Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
) -> Result<()> {
    stream.with(comm).broadcast(1, numbers) //~ mistake
    //~ instead: stream.with(comm).broadcast(comm.rank(1)?, numbers)
}

fn main() {
    let _ = wrong;
}
