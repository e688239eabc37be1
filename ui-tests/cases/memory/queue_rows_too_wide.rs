//! Queues a copy of rows that are wider than a queued copy takes.

use ascendcl::memory::Rows;
use ascendcl::queue::Queued;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, HostSide, Npu, Result, Stream};
use typenum::{Prod, U1, U1000000, U5, U6};

type Q = (Npu<0>, Main);

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>, Main>,
    side: HostSide<'_>,
    to: &mut Queued<'_, Q, DeviceBuf<'_, Npu<0>, [u8]>>,
    from: &Queued<'_, Q, HostBuf<'_, [u8]>>,
) -> Result<()> {
    type Width = Prod<U6, U1000000>; //~ mistake
    //~ instead: type Width = Prod<U5, U1000000>;
    let to = Rows::fixed::<U1, Width, Width>(to)?;
    let from = Rows::fixed::<U1, Width, Width>(from)?;
    stream.memcpy_2d_async(to, from, side)
}

fn main() {
    let _ = wrong;
    let _: Option<U5> = None;
    let _: Option<U6> = None;
}
