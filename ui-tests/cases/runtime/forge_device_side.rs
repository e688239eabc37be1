//! Makes the proof that the program runs on the device without asking.

use std::marker::PhantomData;

use ascendcl::{Acl, DeviceSide, Result, RunMode};

fn wrong(acl: &Acl) -> Result<Option<DeviceSide<'_>>> {
    match acl.run_mode()? {
        RunMode::Device(side) => Ok(Some(side)),
        RunMode::Host(_) => Ok(Some(DeviceSide(PhantomData))), //~ mistake
        //~ instead: RunMode::Host(_) => Ok(None),
    }
}
