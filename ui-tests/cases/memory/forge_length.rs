//! Makes a type of one's own the length of buffers.

use ascendcl::memory::Len;

#[derive(Clone, Copy)]
struct Endless;
impl Len for Endless { //~ mistake
    fn get(self) -> usize { //~ mistake
        usize::MAX //~ mistake
    } //~ mistake
} //~ mistake
//~ instead: fn takes_any_length(_: impl Len) {}

fn main() {}
