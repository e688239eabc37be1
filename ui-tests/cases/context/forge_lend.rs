//! Makes a type of one's own something that can be lent, at any address.

use ascendcl::memory::{Dyn, Host};
use ascendcl::scope::Lend;

struct Anywhere;
impl Lend for Anywhere { //~ mistake
    type Place = Host; //~ mistake
    type Element = u8; //~ mistake
    type Len = Dyn; //~ mistake
    type Returned = (); //~ mistake
    fn into_parts(self) -> (*mut u8, Dyn) { //~ mistake
        (std::ptr::dangling_mut(), Dyn::new(1)) //~ mistake
    } //~ mistake
    unsafe fn from_parts(_: *mut u8, _: Dyn) {} //~ mistake
} //~ mistake
//~ instead: fn takes_what_can_be_lent<R: Lend<Place = Host, Element = u8, Len = Dyn>>() {}

fn main() {}
