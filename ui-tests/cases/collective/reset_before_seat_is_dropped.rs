//! Resets a device, and drops its seat in a communicator at the end of the function.

use ascendcl::collective::World;
use ascendcl::{Device, Npu, Result, Thread};

fn wrong(thread: &mut Thread, device: Device<'_, Npu<0>>) -> Result<()> {
    let current = thread.set_current(&device)?;
    let seats = current.comm_init_all::<World>(&[device.member()])?;
    println!("{}", seats.len());
    device.reset()?; //~ mistake
    //~ instead: drop(seats);
    //~ instead: device.reset()?;
    Ok(())
}

fn main() {
    let _ = wrong;
}
