//! Makes a part of a part of a communicator, which HCCL refuses.

use ascendcl::collective::{Comm, CommName, Rank, Sub, World};
use ascendcl::{Npu, Result};

enum Stage {}
impl CommName for Stage {}

enum Pair {}
impl CommName for Pair {}

type D = Npu<0>;

fn wrong(
    whole: &mut Comm<'_, '_, D>,
    part: &mut Comm<'_, '_, D, Sub<World, Stage>>,
    ranks: &[Rank<World>],
    of_part: &[Rank<Sub<World, Stage>>],
) -> Result<()> {
    let _ = (&whole, &part, ranks, of_part);
    part.create_sub_comm::<Pair>(of_part, 1)?.destroy() //~ mistake
    //~ instead: whole.create_sub_comm::<Pair>(ranks, 1)?.destroy()
}

fn main() {
    let _ = wrong;
}
