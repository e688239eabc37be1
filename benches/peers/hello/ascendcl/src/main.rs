//! Fills memory of a device and copies it.

use ascendcl::{Acl, Npu, Thread};

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let mut thread = Thread::claim()?;
    let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    let current = thread.set_current(&device)?;
    let zeros = current.memset(current.malloc::<f32>(1024)?, 0)?;
    let copy = current.memcpy(current.malloc::<f32>(1024)?, &zeros)?;
    println!("{} elements", copy.len());
    Ok(())
}
