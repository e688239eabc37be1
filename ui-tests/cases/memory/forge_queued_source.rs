//! Makes a type of one's own the source of queued copies, with any address and any length.

use ascendcl::memory::{Dyn, Host};
use ascendcl::queue::QueuedSource;

struct Anywhere;
impl<Q> QueuedSource<Q> for Anywhere { //~ mistake
    type Place = Host; //~ mistake
    type Element = u8; //~ mistake
    type Len = Dyn; //~ mistake
    fn source(&self) -> (*const u8, Dyn) { //~ mistake
        (std::ptr::dangling(), Dyn::new(1)) //~ mistake
    } //~ mistake
} //~ mistake
//~ instead: fn takes_any_source<Q>(_: impl QueuedSource<Q, Place = Host, Element = u8>) {}

fn main() {}
