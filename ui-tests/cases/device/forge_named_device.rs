//! Gives a type of one's own the slot of a device.

use ascendcl::bounds::NamedDevice;

enum Mine {}
impl NamedDevice for Mine { //~ mistake
    const SLOT: usize = 0; //~ mistake
} //~ mistake
//~ instead: fn takes_any_slot<D: NamedDevice>() {}
