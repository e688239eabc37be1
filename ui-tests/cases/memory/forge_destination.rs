//! Makes a type of one's own the destination of copies, with any address and any length.

use ascendcl::memory::{Destination, Dyn, Host};

struct Anywhere;
impl Destination for Anywhere { //~ mistake
    type Place = Host; //~ mistake
    type Element = u8; //~ mistake
    type Len = Dyn; //~ mistake
    type Written = (); //~ mistake
    fn destination(&mut self) -> (*mut u8, Dyn) { //~ mistake
        (std::ptr::dangling_mut(), Dyn::new(1)) //~ mistake
    } //~ mistake
    unsafe fn written(self) {} //~ mistake
} //~ mistake
//~ instead: fn takes_any_destination(_: impl Destination<Place = Host, Element = u8>) {}

fn main() {}
