//! Resets a device, and drops options with memory for a model at the end of the program.

use ascendcl::model::{LoadOptions};
use ascendcl::{Acl, Npu, Result, Thread};

fn main() -> Result<()> {
    let acl = Acl::init()?;
    let mut thread = Thread::claim()?;
    let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    let current = thread.set_current(&device)?;
    let options = LoadOptions::new().workspace(current.malloc(16)?);
    println!("{options:?}");
    device.reset()?; //~ mistake
    //~ instead: drop(options);
    //~ instead: device.reset()?;
    Ok(())
}
