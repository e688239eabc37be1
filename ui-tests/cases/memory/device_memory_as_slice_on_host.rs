//! Takes device memory for a slice although the program runs on a host.

use ascendcl::{Acl, DeviceBuf, Npu, Result, RunMode};

fn wrong(acl: &Acl, on_device: &DeviceBuf<'_, Npu<0>, [f32]>) -> Result<Option<f32>> {
    match acl.run_mode()? {
        RunMode::Host(side) => Ok(Some(on_device.as_slice(side)?[0])), //~ mistake
        RunMode::Device(_) => Ok(None), //~ mistake
        //~ instead: RunMode::Host(_) => Ok(None),
        //~ instead: RunMode::Device(side) => Ok(Some(on_device.as_slice(side)?[0])),
    }
}
