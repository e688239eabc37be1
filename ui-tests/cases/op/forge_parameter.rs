//! Makes a type a parameter of operators.
#![allow(unused)]

use ascendcl::op::{In, Parameter};

struct Mine;
impl Parameter for Mine { //~ mistake
    type Handle = (); //~ mistake
    type Value = (); //~ mistake
    type Outputs<L> = L; //~ mistake
    type Place = (); //~ mistake
    const READS: bool = false; //~ mistake
    const WRITES: bool = false; //~ mistake
    type Slots<L> = L; //~ mistake
    const WAITS: bool = false; //~ mistake
    fn slot<L>(_: (), (): (), list: L, _: &mut [usize; 3]) -> L { list } //~ mistake
    fn value(_: &()) {} //~ mistake
} //~ mistake
//~ instead: fn parameter<P: Parameter>() {}
