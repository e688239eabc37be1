//! Makes a tensor of elements that are arrays.

use ascendcl::{DeviceBuf, Npu, Result};

fn wrong(
    nested: &DeviceBuf<'_, Npu<0>, [[f32; 4]; 4]>, //~ mistake
    //~ instead: nested: &DeviceBuf<'_, Npu<0>, [f32; 16]>,
) -> Result<()> {
    nested.tensor(&[16])?; //~ mistake
    //~ instead: nested.tensor(&[4, 4])?;
    Ok(())
}
