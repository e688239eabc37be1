//! Resets a device whose memory other processes may have.

use ascendcl::share::Importers;
use ascendcl::{Device, Npu, Result, Thread};

fn wrong(device: Device<'_, Npu<0>>, thread: &mut Thread) -> Result<()> {
    let current = thread.set_current(&device)?;
    let memory = current.memset(current.malloc::<f32>(1024)?, 0)?;
    let shared = current.export_memory(memory, Importers::Any)?;
    device.reset()?; //~ mistake
    shared.close(current)?.free() //~ mistake
    //~ instead: shared.close(current)?.free()?;
    //~ instead: device.reset()
}
