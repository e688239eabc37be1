//! Takes a branded device out of its closure, where its name would mean nothing.

use ascendcl::{Acl, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.with_device(thread, 0, |device, _thread| device)?; //~ mistake
    device.reset() //~ mistake
    //~ instead: acl.with_device(thread, 0, |device, _thread| device.reset())?
}
