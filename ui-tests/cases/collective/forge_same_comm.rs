//! Declares two communicators to be one, to exchange by the lengths of the other.
#![allow(unused)]

use ascendcl::bounds::SameComm;
use ascendcl::collective::{CommName, RankCounts, World};

enum Stages {}
impl CommName for Stages {}

impl SameComm<Stages> for World {} //~ mistake
//~ instead: fn counts(_: &RankCounts<impl SameComm<Stages>>) {}

fn main() {}
