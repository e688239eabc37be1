//! Lesson 3, second part: a device is reset while a stream lives.

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Thread};

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let mut thread = Thread::claim()?;
    let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    let stream = thread.set_current(&device)?.create_stream::<Main>()?;
    // Your task: the order of the release.
    device.reset()?;
    stream.destroy()?;
    println!("released in the right order");
    Ok(())
}
