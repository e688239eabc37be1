//! Copies to memory of one branded device while another is bound: each has a name of its own.

use ascendcl::{Acl, HostBuf, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread, from: &HostBuf<'_, [f32]>) -> Result<()> {
    acl.with_device(thread, 0, |first, thread| {
        acl.with_device(thread, 1, |second, thread| {
            let buf = thread.set_current(&first)?.malloc::<f32>(16)?;
            thread.set_current(&second)?.memcpy(buf, from)?; //~ mistake
            //~ instead: thread.set_current(&first)?.memcpy(buf, from)?;
            second.reset()
        })?
    })?
}
