//! Parks memory by hand, which would free it while its own device may be using it.
#![allow(unreachable_code)]

use ascendcl::bounds::AnyDevice;
use ascendcl::queue::Resource;

fn wrong<D: AnyDevice, R: Resource<D>>(memory: R) {
    memory.park(unreachable!(), &[]); //~ mistake
    //~ instead: drop(memory);
}

fn main() {}
