//! Makes a type of one's own the destination of queued copies, with any address and any length.

use std::ptr::NonNull;

use ascendcl::Npu;
use ascendcl::bounds::Destination;
use ascendcl::memory::Host;
use ascendcl::stream::Main;

struct Anywhere;
impl Destination<(Npu<0>, Main)> for Anywhere { //~ mistake
    type Place = Host; //~ mistake
    type Elements = [u8]; //~ mistake
    type Origin = (); //~ mistake
    type Written = (); //~ mistake
    const WAITS: bool = false; //~ mistake
    fn destination(&self) -> NonNull<[u8]> { //~ mistake
        NonNull::from(&[0; 16]) //~ mistake
    } //~ mistake
    unsafe fn written(self) {} //~ mistake
} //~ mistake
//~ instead: fn takes_any(_: impl Destination<(Npu<0>, Main), Place = Host>, _: NonNull<Anywhere>) {}
