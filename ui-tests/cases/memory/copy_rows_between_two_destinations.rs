//! Sees both operands of a copy of rows as rows to be written.

use ascendcl::memory::Rows;
use ascendcl::{Current, DeviceBuf, HostBuf, HostSide, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    side: HostSide<'_>,
    mut on_host: HostBuf<'_, [u8]>,
    mut on_device: DeviceBuf<'_, Npu<0>, [u8]>,
) -> Result<()> {
    let image = Rows::new(&mut on_host, 4, 48, 48)?; //~ mistake
    //~ instead: let image = Rows::new(&on_host, 4, 48, 48)?;
    let padded = Rows::new(&mut on_device, 4, 48, 64)?;
    current.memcpy_2d(image, padded, side) //~ mistake
    //~ instead: current.memcpy_2d(padded, image, side)
}
