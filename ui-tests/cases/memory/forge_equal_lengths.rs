//! Says that two lengths in types are equal.

use ascendcl::memory::{Arr, SameLen};

impl SameLen<Arr<8>> for Arr<4> { //~ mistake
    const KNOWN: bool = true; //~ mistake
} //~ mistake
//~ instead: fn fits<L: SameLen<Arr<8>>>() {}

fn main() {}
