//! Takes a second device into use, which makes it current, while a stream of the first lives.

use ascendcl::stream::Main;
use ascendcl::{Acl, Device, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread, first: &Device<'_, Npu<0>>) -> Result<()> {
    //~ instead: let second = acl.set_device::<Npu<1>>(thread, 1)?;
    let stream = thread.set_current(first)?.create_stream::<Main>()?;
    let second = acl.set_device::<Npu<1>>(thread, 1)?; //~ mistake
    stream.destroy()?;
    second.reset()
}
