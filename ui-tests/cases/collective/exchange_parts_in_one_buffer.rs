//! Exchanges parts within one buffer, which HCCL refuses.

use ascendcl::collective::{Comm, RankCounts, World};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, Q, Comm<'_, 'd, D>>,
    (to, from): (&RankCounts<World>, &RankCounts<World>),
    own: &mut Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
    other: &mut Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
) -> Result<()> {
    let _ = &other;
    stream.with(comm).all_to_all_v((to, &*own), (from, own)) //~ mistake
    //~ instead: stream.with(comm).all_to_all_v((to, &*own), (from, other))
}

fn main() {
    let _ = wrong;
}
