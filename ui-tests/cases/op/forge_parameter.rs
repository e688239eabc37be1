//! Makes a type a parameter of operators.
#![allow(unused)]

use ascendcl::op::{In, Parameter};

struct Mine;
impl Parameter for Mine { //~ mistake
    type Handle = (); //~ mistake
    type Value = (); //~ mistake
    type Outputs<L> = L; //~ mistake
    fn value(_: &()) {} //~ mistake
} //~ mistake
//~ instead: fn parameter<P: Parameter>() {}

fn main() {}
