//! Disables access to a peer while memory of it is still in use.

use ascendcl::peer::PeerAccess;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong<'peer>(
    stream: &mut Stream<'_, '_, Npu<0>, Main>,
    access: PeerAccess<'_, 'peer, Npu<0>, Npu<1>>,
    buf: DeviceBuf<'peer, Npu<1>, [f32]>,
) -> Result<()> {
    let lent = stream.adopt(access.outbound().lend(buf));
    access.disable()?; //~ mistake
    drop(stream.synchronize()?.take(lent)); //~ mistake
    //~ instead: let buf = stream.synchronize()?.take(lent);
    //~ instead: access.outbound().give_back(buf).free()?;
    //~ instead: access.disable()?;
    Ok(())
}
