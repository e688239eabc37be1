//! Copies four elements of a device into a buffer of eight.

use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    eight: &mut DeviceBuf<'_, Npu<0>, [f32; 8]>,
    four: &DeviceBuf<'_, Npu<0>, [f32; 4]>,
) -> Result<()> {
    current.memcpy(eight, four) //~ mistake
    //~ instead: current.memcpy(eight.slice_mut(0..4)?, four)
}
