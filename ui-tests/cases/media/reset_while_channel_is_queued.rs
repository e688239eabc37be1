//! Resets a device while a stream has a channel of it.

use ascendcl::media::{All, V1};
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, media: &V1<'_>, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    let stream = current.create_stream::<Main>()?;
    let channel = stream.adopt(media.create_channel::<All, _>(current)?);
    device.reset()?; //~ mistake
    drop(channel);
    stream.destroy()?;
    //~ instead: device.reset()?;
    Ok(())
}
