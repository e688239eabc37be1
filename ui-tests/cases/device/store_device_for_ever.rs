//! Stores a device without a lifetime although AscendCL will be finalised.

use ascendcl::{Acl, Device, Npu, Result, Thread};

struct Program {
    _device: Device<'static, Npu<0>>,
}

fn wrong(
    acl: &Acl, //~ mistake
    //~ instead: acl: &'static Acl,
    thread: &mut Thread,
) -> Result<Program> {
    let _device = acl.set_device(thread, 0)?;
    Ok(Program { _device }) //~ mistake
    //~ instead: Ok(Program { _device })
}
