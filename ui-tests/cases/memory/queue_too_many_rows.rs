//! Queues a copy of more rows than a queued copy takes.

use ascendcl::memory::Rows;
use ascendcl::queue::Queued;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, HostSide, Npu, Result, Stream};
use typenum::{Prod, U1, U1048576, U5, U6};

type Q = (Npu<0>, Main);

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>, Main>,
    side: HostSide<'_>,
    to: &mut Queued<'_, Q, DeviceBuf<'_, Npu<0>, [u8]>>,
    from: &Queued<'_, Q, HostBuf<'_, [u8]>>,
) -> Result<()> {
    type Height = Prod<U6, U1048576>; //~ mistake
    //~ instead: type Height = Prod<U5, U1048576>;
    let to = Rows::fixed::<Height, U1, U1>(to)?;
    let from = Rows::fixed::<Height, U1, U1>(from)?;
    stream.memcpy_2d_async(to, from, side)
}

fn main() {
    let _ = wrong;
    let _: Option<U5> = None;
    let _: Option<U6> = None;
}
