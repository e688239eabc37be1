//! Copies between buffers whose lengths in types are only equal by chance.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong<const N: usize, const M: usize>(
    current: Current<'_, '_, Npu<0>>,
    to: &mut DeviceBuf<'_, Npu<0>, [f32; N]>,
    from: &HostBuf<'_, [f32; M]>, //~ mistake
    //~ instead: from: &HostBuf<'_, [f32; N]>,
) -> Result<()> {
    current.memcpy(to, from) //~ mistake
    //~ instead: current.memcpy(to, from)
}

fn main() {
    let _ = wrong::<4, 4>;
}
