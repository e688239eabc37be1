//! Adds parts of memory that nothing has written.

use ascendcl::collective::{Comm, RankCounts, Sum, World};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};
use ascendcl::memory::Uninit;

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, Q, Comm<'_, 'd, D>>,
    counts: &RankCounts<World>,
    own: Queued<'d, Q, DeviceBuf<'d, D, [f32], Uninit>>,
    part: &mut Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
) -> Result<()> {
    //~ instead: let own = stream.memset_async(own, 0)?;
    stream.with(comm).reduce_scatter_v(Sum, counts, &own, part) //~ mistake
    //~ instead: stream.with(comm).reduce_scatter_v(Sum, counts, &own, part)
}

fn main() {
    let _ = wrong;
}
