//! Names a rank of the whole communicator in a part of it.

use ascendcl::collective::{Comm, CommName, Sub, World};
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, DeviceBuf, Result, Stream};

enum Stage {}
impl CommName for Stage {}

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    whole: &Comm<'_, 'd, D>,
    part: &Queued<'d, Q, Comm<'_, 'd, D, Sub<World, Stage>>>,
    numbers: &mut Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
) -> Result<()> {
    let _ = whole;
    stream.with(part).broadcast(whole.rank(1)?, numbers) //~ mistake
    //~ instead: stream.with(part).broadcast(part.rank(1)?, numbers)
}

fn main() {
    let _ = wrong;
}
