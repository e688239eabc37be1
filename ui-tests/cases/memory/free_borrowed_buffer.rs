//! Frees a buffer that belongs to the caller.

use ascendcl::{DeviceBuf, Npu, Result};

fn wrong(
    buf: &mut DeviceBuf<'_, Npu<0>, [f32]>, //~ mistake
    //~ instead: buf: DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    buf.free() //~ mistake
    //~ instead: buf.free()
}
