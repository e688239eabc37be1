//! Mixes two branded devices in a function that never returns, the shape of a service thread.

use ascendcl::{Acl, HostBuf, Thread};

fn wrong(acl: &Acl, thread: &mut Thread, from: &HostBuf<'_, [f32]>) -> ! {
    let served = acl.with_device(thread, 0, |first, thread| {
        acl.with_device(thread, 1, |second, thread| -> ascendcl::Result<()> {
            loop {
                let buf = thread.set_current(&first)?.malloc::<f32>(16)?;
                thread.set_current(&second)?.memcpy(buf, from)?; //~ mistake
                //~ instead: let other = thread.set_current(&second)?.malloc::<f32>(16)?;
                //~ instead: thread.set_current(&first)?.memcpy(buf, from)?;
                //~ instead: other.free()?;
            }
        })
    });
    panic!("the service has stopped: {served:?}");
}
