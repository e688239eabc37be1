//! Copies rows within a device by a blocking call: only queued copies of rows do that.

use ascendcl::memory::Rows;
use ascendcl::{Current, DeviceBuf, HostBuf, HostSide, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    side: HostSide<'_>,
    to: &mut DeviceBuf<'_, Npu<0>, [u8]>,
    (from, host): (&DeviceBuf<'_, Npu<0>, [u8]>, &HostBuf<'_, [u8]>),
) -> Result<()> {
    let to = Rows::new(to, 4, 48, 64)?;
    current.memcpy_2d(to, Rows::new(from, 4, 48, 48)?, side) //~ mistake
    //~ instead: current.memcpy_2d(to, Rows::new(host, 4, 48, 48)?, side)
}
