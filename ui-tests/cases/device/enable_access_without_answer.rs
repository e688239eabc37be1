//! Enables access to a peer without looking whether there is a route to it.

use ascendcl::{Current, Device, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, peer: &Device<'_, Npu<1>>) -> Result<()> {
    let route = current.can_access_peer(peer)?;
    route.enable(current)?.disable() //~ mistake
    //~ instead: match route {
    //~ instead:     Some(route) => route.enable(current)?.disable(),
    //~ instead:     None => Ok(()),
    //~ instead: }
}
