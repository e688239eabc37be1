//! Copies rows where the program runs on the device itself.

use ascendcl::memory::Rows;
use ascendcl::{Current, DeviceBuf, DeviceSide, HostBuf, HostSide, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    (host, device): (HostSide<'_>, DeviceSide<'_>),
    to: &mut DeviceBuf<'_, Npu<0>, [u8]>,
    from: &HostBuf<'_, [u8]>,
) -> Result<()> {
    let (to, from) = (Rows::new(to, 4, 48, 64)?, Rows::new(from, 4, 48, 48)?);
    current.memcpy_2d(to, from, device) //~ mistake
    //~ instead: current.memcpy_2d(to, from, host)
}
