//! Exchanges parts within one buffer, which HCCL refuses.

use ascendcl::collective::{Comm, RankCounts, World};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &mut Queued<'d, Q, Comm<'_, 'd, D>>,
    (to, from): (&RankCounts<World>, &RankCounts<World>),
    own: &mut Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
    other: &mut Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
) -> Result<()> {
    let _ = &other;
    comm.all_to_all_v(stream, (to, &*own), (from, own)) //~ mistake
    //~ instead: comm.all_to_all_v(stream, (to, &*own), (from, other))
}

fn main() {
    let _ = wrong;
}
