//! Lets an image outlive the owner of the device, whose destructor resets it.

use ascendcl::{Acl, Device, Npu, Result, Thread};

struct Resources<'acl> {
    device: Device<'acl, Npu<0>>,
}

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    //~ instead: let resources = Resources { device: acl.set_device(thread, 0)? };
    let image = {
        let resources = Resources { device: acl.set_device(thread, 0)? }; //~ mistake
        thread.set_current(&resources.device)?.malloc_dvpp::<u8>(64)?
    };
    image.free()
}
