//! Parks memory under the name of another device, which would free it after its own was reset.

use ascendcl::AnyDevice;
use ascendcl::queue::Resource;

fn wrong<Own, Other, R>(memory: R)
where
    Own: AnyDevice,
    Other: AnyDevice,
    R: Resource<Own>,
{
    memory.park(Other::key(Other::open()), &[]); //~ mistake
    //~ instead: drop(memory);
}

fn main() {}
