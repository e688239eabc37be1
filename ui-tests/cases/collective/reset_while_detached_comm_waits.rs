//! Resets a device whose detached communicator nobody has attached yet.

use ascendcl::collective::World;
use ascendcl::{Device, Npu, Result, Thread};

fn wrong(thread: &mut Thread, device: Device<'_, Npu<0>>) -> Result<()> {
    let current = thread.set_current(&device)?;
    let comms = current.comm_init_all::<World>(&[device.member()])?;
    device.reset()?; //~ mistake
    drop(comms);
    //~ instead: device.reset()?;
    Ok(())
}

fn main() {
    let _ = wrong;
}
