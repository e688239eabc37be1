//! Resets a device while one of its models is loaded.

use ascendcl::model::Blocking;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    let model = current.load_model::<Blocking>("model.onnx")?;
    device.reset()?; //~ mistake
    model.unload() //~ mistake
    //~ instead: model.unload()?;
    //~ instead: device.reset()
}
