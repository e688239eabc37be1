//! Adds arrays of two shapes.

use ascendcl::op::array;
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &DeviceBuf<'_, Npu<0>, [[f32; 16]; 8]>,
    b: &DeviceBuf<'_, Npu<0>, [[f32; 8]; 16]>, //~ mistake
    //~ instead: b: &DeviceBuf<'_, Npu<0>, [[f32; 16]; 8]>,
    out: &mut DeviceBuf<'_, Npu<0>, [[f32; 16]; 8]>,
) -> Result<()> {
    array::add(current, &a.array()?, &b.array()?, 1.0, out.array_mut()?)?; //~ mistake
    //~ instead: array::add(current, &a.array()?, &b.array()?, 1.0, out.array_mut()?)?;
    Ok(())
}
