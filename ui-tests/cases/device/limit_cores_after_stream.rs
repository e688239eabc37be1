//! Limits the cores of a device after an operator may have been prepared with all of them.

use ascendcl::settings::CoreKind;
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let mut device = acl.set_device::<Npu<0>>(thread, 0)?;
    //~ instead: device.set_res_limit(CoreKind::Vector, 16)?;
    let stream = thread.set_current(&device)?.create_stream::<Main>()?;
    device.set_res_limit(CoreKind::Vector, 16)?; //~ mistake
    stream.destroy()?;
    device.reset()
}
