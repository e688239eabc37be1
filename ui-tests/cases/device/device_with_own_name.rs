//! Names a device by a type of one's own.
#![allow(unused)]

use ascendcl::{Acl, Npu, Result, Thread};

enum Trainer {} //~ mistake
//~ instead: type Trainer = Npu<0>;

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Trainer>(thread, 0)?; //~ mistake
    //~ instead: let device = acl.set_device::<Trainer>(thread, 0)?;
    device.reset()
}
