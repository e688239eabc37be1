//! Makes a type of one's own the destination of queued copies, with any address and any length.

use ascendcl::memory::{Dyn, Host};
use ascendcl::queue::QueuedDestination;

struct Anywhere;
impl<Q> QueuedDestination<Q> for Anywhere { //~ mistake
    type Place = Host; //~ mistake
    type Element = u8; //~ mistake
    type Len = Dyn; //~ mistake
    type Origin = (); //~ mistake
    type Written = (); //~ mistake
    fn destination(&mut self) -> (*mut u8, Dyn) { //~ mistake
        (std::ptr::dangling_mut(), Dyn::new(1)) //~ mistake
    } //~ mistake
    unsafe fn written(self) {} //~ mistake
} //~ mistake
//~ instead: fn takes_any_destination<Q>(_: impl QueuedDestination<Q, Place = Host, Element = u8>) {}

fn main() {}
