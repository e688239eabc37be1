//! Makes a type of one's own the destination of copies, with any address and any length.

use ascendcl::memory::{Destination, Host};

struct Anywhere;
impl Destination for Anywhere { //~ mistake
    type Place = Host; //~ mistake
    type Elements = [u8]; //~ mistake
    type Written = (); //~ mistake
    fn destination(&mut self) -> std::ptr::NonNull<[u8]> { //~ mistake
        std::ptr::NonNull::from(&mut [0; 16]) //~ mistake
    } //~ mistake
    unsafe fn written(self) {} //~ mistake
} //~ mistake
//~ instead: fn takes_any_destination(_: impl Destination<Place = Host, Elements = [u8]>) {}

fn main() {}
