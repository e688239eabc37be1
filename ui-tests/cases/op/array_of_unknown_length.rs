//! Makes an array of a buffer whose length the compiler does not know.

use ascendcl::{DeviceBuf, Npu, Result};

fn wrong(
    a: &DeviceBuf<'_, Npu<0>, [f32]>, //~ mistake
    //~ instead: a: &DeviceBuf<'_, Npu<0>, [f32; 16]>,
) -> Result<()> {
    a.array()?; //~ mistake
    //~ instead: a.array()?;
    Ok(())
}
