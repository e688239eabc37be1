//! Resets a device, and drops its communicator at the end of the function.

use ascendcl::collective::{RootInfo, World};
use ascendcl::{Device, Npu, Result, Thread};

fn wrong(thread: &mut Thread, device: Device<'_, Npu<0>>, root: &RootInfo) -> Result<()> {
    let current = thread.set_current(&device)?;
    let comm = current.comm_init_root_info::<World>(root, 0)?;
    println!("{}", comm.name());
    device.reset()?; //~ mistake
    //~ instead: drop(comm);
    //~ instead: device.reset()?;
    Ok(())
}

fn main() {
    let _ = wrong;
}
