//! Resets a device, and drops its detached communicator at the end of the function.

use ascendcl::collective::World;
use ascendcl::{Device, Npu, Result, Thread};

fn wrong(thread: &mut Thread, device: Device<'_, Npu<0>>) -> Result<()> {
    let current = thread.set_current(&device)?;
    let comms = current.comm_init_all::<World>(&[device.member()])?;
    println!("{}", comms.len());
    device.reset()?; //~ mistake
    //~ instead: drop(comms);
    //~ instead: device.reset()?;
    Ok(())
}

fn main() {
    let _ = wrong;
}
