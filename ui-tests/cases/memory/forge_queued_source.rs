//! Makes a type of one's own the source of queued copies, with any address and any length.

use std::ptr::NonNull;

use ascendcl::Npu;
use ascendcl::bounds::Source;
use ascendcl::memory::Host;
use ascendcl::stream::Main;

struct Anywhere;
impl Source<(Npu<0>, Main)> for Anywhere { //~ mistake
    type Place = Host; //~ mistake
    type Elements = [u8]; //~ mistake
    const WAITS: bool = false; //~ mistake
    fn source(&self) -> NonNull<[u8]> { //~ mistake
        NonNull::from(&[0; 16]) //~ mistake
    } //~ mistake
} //~ mistake
//~ instead: fn takes_any(_: impl Source<(Npu<0>, Main), Place = Host>, _: NonNull<Anywhere>) {}
