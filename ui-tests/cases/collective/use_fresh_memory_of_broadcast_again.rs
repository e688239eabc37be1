//! Uses fresh memory that a broadcast has taken, instead of the memory that it returned.

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
) -> Result<Queued<'d, Q, DeviceBuf<'d, D, [f32]>>> {
    let root = comm.rank(0)?;
    stream.with(comm).broadcast_into(root, numbers)?; //~ mistake
    Ok(numbers) //~ mistake
    //~ instead: stream.with(comm).broadcast_into(root, numbers)
}

fn main() {
    let _ = wrong;
}
