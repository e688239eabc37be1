//! Names a rank of another communicator as the root.

use ascendcl::collective::{Comm, CommName, Rank, World};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

enum Stages {}
impl CommName for Stages {}

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, Q, Comm<'_, 'd, D>>,
    of_stages: Rank<Stages>,
    of_world: Rank<World>,
    numbers: &mut Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
) -> Result<()> {
    let _ = (of_stages, of_world);
    stream.with(comm).broadcast(of_stages, numbers) //~ mistake
    //~ instead: stream.with(comm).broadcast(of_world, numbers)
}

fn main() {
    let _ = wrong;
}
