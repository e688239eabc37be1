//! Two devices with a route between them: blocking and queued copies to the peer, and an access that is forgotten.

use std::mem;

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, Thread};

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let mut thread = Thread::claim()?;
    let user = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    let owner = acl.set_device::<Npu<1>>(&mut thread, 1)?;
    let current = thread.set_current(&owner)?;
    let mut there = current.memset(current.malloc::<u8>(64)?, 0)?;
    let lent = current.memset(current.malloc::<u8>(64)?, 0)?;

    let current = thread.set_current(&user)?;
    let Some(route) = current.can_access_peer(&owner)? else {
        return Ok(());
    };
    let access = route.enable(current)?;
    let mut stream = current.create_stream::<Main>()?;
    let here = current.memset(current.malloc::<u8>(64)?, 7)?;
    access.p2p_map(&there)?;
    let part = access.outbound().slice_mut(&mut there, 0..32)?;
    current.memcpy(part, here.slice(0..32)?)?;
    let here = stream.adopt(here);
    let mut queued = stream.adopt(access.outbound().lend(lent));
    stream.memcpy_async(&mut queued, &here)?;
    let idle = stream.synchronize()?;
    let lent = access.outbound().give_back(idle.take(queued));
    drop(idle.take(here));
    stream.destroy()?;
    lent.free()?;
    there.free()?;
    access.disable()?;

    // The devices end in any order, also where an access was forgotten.
    let current = thread.set_current(&user)?;
    if let Some(route) = current.can_access_peer(&owner)? {
        mem::forget(route.enable(current)?);
    }
    user.reset()?;
    owner.reset()
}
