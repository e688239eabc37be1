//! Gives an array a shape with another number of elements.

use ascendcl::{DeviceBuf, Npu, Result};

fn wrong(a: &DeviceBuf<'_, Npu<0>, [[f32; 16]; 8]>) -> Result<()> {
    a.array()?.reshape::<[[f32; 16]; 9]>()?; //~ mistake
    //~ instead: a.array()?.reshape::<[[f32; 32]; 4]>()?;
    Ok(())
}
