//! Lesson 7, second part: the numbers leave the closure, and the memory stays.

use ascendcl::{Acl, Result, Thread};

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    let mut thread = Thread::claim()?;
    for id in 0..acl.device_count()? {
        let byte = acl.with_device(&mut thread, id, |device, thread| -> Result<_> {
            let current = thread.set_current(&device)?;
            let memory = current.memset(current.malloc::<u8>(1)?, 7)?;
            let mut back = current.malloc_host::<u8>(host, 1)?;
            current.memcpy(&mut back, &memory)?;
            Ok(back.first().copied())
        })??;
        println!("device {id}: {byte:?}");
    }
    Ok(())
}
