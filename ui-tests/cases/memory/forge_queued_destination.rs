//! Makes a type of one's own the destination of queued copies, with any address and any length.

use std::ptr::NonNull;

use ascendcl::Npu;
use ascendcl::memory::{Destination, Host, Memory};
use ascendcl::stream::Main;

struct Anywhere;
impl Memory for Anywhere { //~ mistake
    type Place = Host; //~ mistake
    type Elements = [u8]; //~ mistake
    fn memory(&self) -> NonNull<[u8]> { //~ mistake
        NonNull::from(&[0; 16]) //~ mistake
    } //~ mistake
} //~ mistake
impl Destination<(Npu<0>, Main)> for Anywhere { //~ mistake
    type Origin = (); //~ mistake
    type Written = (); //~ mistake
    unsafe fn written(self) {} //~ mistake
} //~ mistake
//~ instead: fn takes_any<O: Destination<(Npu<0>, Main)> + Memory<Place = Host>>(_: O, _: NonNull<Anywhere>) {}

fn main() {}
