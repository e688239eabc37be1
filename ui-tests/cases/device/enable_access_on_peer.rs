//! Enables access on the thread that is bound to the peer: it would be the wrong direction.

use ascendcl::{Device, Npu, Result, Thread};

fn wrong(
    thread: &mut Thread,
    (mine, peer): (&Device<'_, Npu<0>>, &Device<'_, Npu<1>>),
) -> Result<()> {
    let Some(route) = thread.set_current(mine)?.can_access_peer(peer)? else {
        return Ok(());
    };
    route.enable(thread.set_current(peer)?)?.disable() //~ mistake
    //~ instead: route.enable(thread.set_current(mine)?)?.disable()
}
