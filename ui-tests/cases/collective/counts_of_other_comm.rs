//! Gathers parts by the list of another communicator.

use ascendcl::collective::{Comm, CommName, RankCounts, World};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

enum Stages {}
impl CommName for Stages {}

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, Q, Comm<'_, 'd, D>>,
    of_stages: &RankCounts<Stages>,
    of_world: &RankCounts<World>,
    own: &Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
    all: &mut Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
) -> Result<()> {
    let _ = (of_stages, of_world);
    stream.with(comm).all_gather_v(of_stages, own, all) //~ mistake
    //~ instead: stream.with(comm).all_gather_v(of_world, own, all)
}

fn main() {
    let _ = wrong;
}
