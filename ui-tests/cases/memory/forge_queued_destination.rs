//! Makes a type of one's own the destination of queued copies, with any address and any length.

use ascendcl::memory::Host;
use ascendcl::queue::QueuedDestination;

struct Anywhere;
impl<Q> QueuedDestination<Q> for Anywhere { //~ mistake
    type Place = Host; //~ mistake
    type Elements = [u8]; //~ mistake
    type Origin = (); //~ mistake
    type Written = (); //~ mistake
    fn destination(&mut self) -> std::ptr::NonNull<[u8]> { //~ mistake
        std::ptr::NonNull::from(&mut [0; 16]) //~ mistake
    } //~ mistake
    unsafe fn written(self) {} //~ mistake
} //~ mistake
//~ instead: fn takes_any_destination<Q>(_: impl QueuedDestination<Q, Place = Host, Elements = [u8]>) {}

fn main() {}
