//! Gives a slot another number, so that two names mean one device.

use ascendcl::bounds::NamedDevice;
use ascendcl::Npu;

impl NamedDevice for Npu<9> { //~ mistake
    const SLOT: usize = 0; //~ mistake
} //~ mistake
//~ instead: fn slot() -> usize { <Npu<9> as NamedDevice>::SLOT }
