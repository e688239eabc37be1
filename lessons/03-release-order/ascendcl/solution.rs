//! Lesson 3, second part: the stream is destroyed before the reset.

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Thread};

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let mut thread = Thread::claim()?;
    let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    let stream = thread.set_current(&device)?.create_stream::<Main>()?;
    stream.destroy()?;
    device.reset()?;
    println!("released in the right order");
    Ok(())
}
