//! Resets a device that another one has access to.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let mine = acl.set_device::<Npu<0>>(thread, 0)?;
    let peer = acl.set_device::<Npu<1>>(thread, 1)?;
    let current = thread.set_current(&mine)?;
    let Some(route) = current.can_access_peer(&peer)? else {
        return Ok(());
    };
    let access = route.enable(current)?;
    peer.reset()?; //~ mistake
    access.disable() //~ mistake
    //~ instead: access.disable()?;
    //~ instead: peer.reset()
}
