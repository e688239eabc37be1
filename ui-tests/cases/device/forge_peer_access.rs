//! Makes up access to a peer that nobody enabled.

use ascendcl::peer::PeerAccess;
use ascendcl::{Current, Device, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, peer: &Device<'_, Npu<1>>) -> Result<()> {
    let access: PeerAccess<'_, '_, Npu<0>, Npu<1>> = PeerAccess {}; //~ mistake
    access.disable() //~ mistake
    //~ instead: match current.can_access_peer(peer)? {
    //~ instead:     Some(route) => route.enable(current)?.disable(),
    //~ instead:     None => Ok(()),
    //~ instead: }
}
