//! Makes a rank without its communicator.

use ascendcl::collective::{Rank, Ranks, World};

fn wrong(ranks: Ranks<World>) -> Rank<World> {
    let _ = ranks;
    Rank { number: 9 } //~ mistake
    //~ instead: ranks.own()
}

fn main() {
    let _ = wrong;
}
