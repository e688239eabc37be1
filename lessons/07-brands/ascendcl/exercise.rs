//! Lesson 7, second part: memory of a device that has no number in its type.

use ascendcl::{Acl, Result, Thread};

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?; // the proof that there is host memory
    let mut thread = Thread::claim()?;
    for id in 0..acl.device_count()? {
        let byte = acl.with_device(&mut thread, id, |device, thread| -> Result<_> {
            let current = thread.set_current(&device)?;
            let memory = current.memset(current.malloc::<u8>(1)?, 7)?;
            Ok(memory)
        })??;
        // Your task: print the byte, and let no memory of the device leave the closure.
        println!("device {id}: {:?}", byte.len());
    }
    Ok(())
}
