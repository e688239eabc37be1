//! Copies rows that are wider than the distance from one to the next.

use ascendcl::memory::Rows;
use ascendcl::{Current, DeviceBuf, HostBuf, HostSide, Npu, Result};
use typenum::{U4, U48, U64};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    side: HostSide<'_>,
    to: &mut DeviceBuf<'_, Npu<0>, [u8]>,
    from: &HostBuf<'_, [u8]>,
) -> Result<()> {
    let to = Rows::fixed::<U4, U64, U48>(to)?; //~ mistake
    //~ instead: let to = Rows::fixed::<U4, U48, U64>(to)?;
    let from = Rows::fixed::<U4, U64, U64>(from)?; //~ mistake
    //~ instead: let from = Rows::fixed::<U4, U48, U48>(from)?;
    current.memcpy_2d(to, from, side)
}
