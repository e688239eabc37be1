//! Collects branded devices in a vector: their types differ, and they would outlive their names.

use ascendcl::{Acl, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let mut devices = Vec::new();
    for id in 0..acl.device_count()? {
        acl.with_device(thread, id, |device, _thread| {
            devices.push(device); //~ mistake
            //~ instead: devices.push(device.id());
        })?;
    }
    Ok(())
}
