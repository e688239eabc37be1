//! Broadcasts memory that nothing has written.

use ascendcl::collective::Comm;
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
    let root = comm.rank(0)?;
    //~ instead: let mut numbers = stream.memset_async(numbers, 0)?;
    stream.with(comm).broadcast(root, numbers) //~ mistake
    //~ instead: stream.with(comm).broadcast(root, &mut numbers)
}

fn main() {
    let _ = wrong;
}
