//! Copies a part of a buffer into a part of another element type.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    to: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    (wide, narrow): (&HostBuf<'_, [f64]>, &HostBuf<'_, [f32]>),
) -> Result<()> {
    current.memcpy(to.slice_mut(0..4)?, wide.slice(0..4)?) //~ mistake
    //~ instead: current.memcpy(to.slice_mut(0..4)?, narrow.slice(0..4)?)
}
