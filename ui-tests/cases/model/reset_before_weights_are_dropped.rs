//! Resets a device, and drops memory for weights at the end of the program.

use ascendcl::model::{ModelFile};
use ascendcl::{Acl, Npu, Result, Thread};

fn main() -> Result<()> {
    let acl = Acl::init()?;
    let mut thread = Thread::claim()?;
    let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    let current = thread.set_current(&device)?;
    let weights = current.malloc_weights(&ModelFile::new(*b"model"))?;
    println!("{weights:?}");
    device.reset()?; //~ mistake
    //~ instead: drop(weights);
    //~ instead: device.reset()?;
    Ok(())
}
