//! Resets a device while a stream may run operations of its communicator.

use ascendcl::collective::{RootInfo, World};
use ascendcl::stream::Main;
use ascendcl::{Device, Npu, Result, Thread};

fn wrong(thread: &mut Thread, device: Device<'_, Npu<0>>, root: &RootInfo) -> Result<()> {
    let current = thread.set_current(&device)?;
    let stream = current.create_stream::<Main>()?;
    let comm = stream.adopt(current.comm_init_root_info::<World>(root, 0)?);
    stream.with(&comm).barrier()?;
    device.reset()?; //~ mistake
    drop(comm);
    stream.destroy()?;
    //~ instead: device.reset()?;
    Ok(())
}

fn main() {
    let _ = wrong;
}
