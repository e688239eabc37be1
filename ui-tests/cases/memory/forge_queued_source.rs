//! Makes a type of one's own the source of queued copies, with any address and any length.

use std::ptr::NonNull;

use ascendcl::Npu;
use ascendcl::memory::{Host, Memory, Source};
use ascendcl::stream::Main;

struct Anywhere;
impl Memory for Anywhere { //~ mistake
    type Place = Host; //~ mistake
    type Elements = [u8]; //~ mistake
    fn memory(&self) -> NonNull<[u8]> { //~ mistake
        NonNull::from(&[0; 16]) //~ mistake
    } //~ mistake
} //~ mistake
impl Source<(Npu<0>, Main)> for Anywhere {} //~ mistake
//~ instead: fn takes_any<O: Source<(Npu<0>, Main)> + Memory<Place = Host>>(_: O, _: NonNull<Anywhere>) {}

fn main() {}
