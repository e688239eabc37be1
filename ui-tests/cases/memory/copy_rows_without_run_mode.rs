//! Copies rows without having asked where the program runs: on the device itself there are no such copies.

use ascendcl::memory::Rows;
use ascendcl::{Acl, Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong(
    acl: &Acl,
    current: Current<'_, '_, Npu<0>>,
    to: &mut DeviceBuf<'_, Npu<0>, [u8]>,
    from: &HostBuf<'_, [u8]>,
) -> Result<()> {
    let (to, from) = (Rows::new(to, 4, 48, 64)?, Rows::new(from, 4, 48, 48)?);
    current.memcpy_2d(to, from) //~ mistake
    //~ instead: match acl.run_mode()?.host() {
    //~ instead:     Some(side) => current.memcpy_2d(to, from, side),
    //~ instead:     None => Ok(()),
    //~ instead: }
}
