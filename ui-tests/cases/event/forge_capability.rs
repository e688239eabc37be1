//! Makes a type of one's own a union of flags.

use ascendcl::event::Capability;

enum Everything {}
impl Capability for Everything { //~ mistake
    const FLAGS: u32 = u32::MAX; //~ mistake
    const OWNED: bool = false; //~ mistake
} //~ mistake
//~ instead: fn takes_any_capability<C: Capability>() {}
