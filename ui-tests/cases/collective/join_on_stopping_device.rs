//! Joins a communicator on a device that stops on failure.

use ascendcl::collective::{RootInfo, World};
use ascendcl::{Current, Npu, Result, Stopping};

fn wrong(
    current: Current<'_, '_, Stopping<Npu<0>>>, //~ mistake
    //~ instead: current: Current<'_, '_, Npu<0>>,
    root: &RootInfo,
) -> Result<()> {
    let _ = std::any::type_name::<Stopping<Npu<0>>>();
    current.comm_init_root_info::<World>(root, 0)?.destroy()
}

fn main() {
    let _ = wrong;
}
