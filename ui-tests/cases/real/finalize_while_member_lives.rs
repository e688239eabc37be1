//! Finalises AscendCL in the method of an object whose member is released only after that.

use ascendcl::{Acl, Device, Npu, Result, Thread};

struct Runner<'acl> {
    device: Device<'acl, Npu<0>>,
}

impl Runner<'_> {
    fn finish(self, acl: Acl) -> Result<()> {
        acl.finalize()
    }
}

fn wrong(acl: Acl, thread: &mut Thread) -> Result<()> {
    let runner = Runner { device: acl.set_device(thread, 0)? };
    runner.finish(acl) //~ mistake
    //~ instead: drop(runner);
    //~ instead: acl.finalize()
}
