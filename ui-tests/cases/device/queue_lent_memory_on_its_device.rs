//! Hands memory that was lent to device 0 to a stream of its own device.

use ascendcl::peer::PeerAccess;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Stream};

fn wrong<'peer>(
    (on_0, on_1): (&Stream<'_, '_, Npu<0>, Main>, &Stream<'_, '_, Npu<1>, Main>),
    access: &PeerAccess<'_, 'peer, Npu<0>, Npu<1>>,
    buf: DeviceBuf<'peer, Npu<1>, [f32]>,
) {
    let _ = on_1.adopt(access.outbound().lend(buf)); //~ mistake
    //~ instead: let _ = on_0.adopt(access.outbound().lend(buf));
}
