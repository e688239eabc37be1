//! Makes a type of one's own the source of copies, with any address and any length.

use ascendcl::memory::{Host, Source};

struct Anywhere;
impl Source for Anywhere { //~ mistake
    type Place = Host; //~ mistake
    type Elements = [u8]; //~ mistake
    fn source(&self) -> std::ptr::NonNull<[u8]> { //~ mistake
        std::ptr::NonNull::from(&[0; 16]) //~ mistake
    } //~ mistake
} //~ mistake
//~ instead: fn takes_any_source(_: impl Source<Place = Host, Elements = [u8]>) {}

fn main() {}
