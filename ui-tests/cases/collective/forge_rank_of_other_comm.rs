//! Declares the ranks of one communicator to be those of another one.
#![allow(unused)]

use ascendcl::bounds::RankOf;
use ascendcl::collective::{CommName, Rank, World};

enum Stages {}
impl CommName for Stages {}

impl RankOf<Stages> for Rank<World> {} //~ mistake
//~ instead: fn root(_: impl RankOf<Stages>) {}

fn main() {}
