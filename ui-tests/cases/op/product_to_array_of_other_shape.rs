//! Lets a product of arrays write an array of another shape.

use ascendcl::op::{CubeMath, array};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &DeviceBuf<'_, Npu<0>, [[f32; 16]; 8]>,
    b: &DeviceBuf<'_, Npu<0>, [[f32; 4]; 16]>,
    out: &mut DeviceBuf<'_, Npu<0>, [[f32; 8]; 4]>, //~ mistake
    //~ instead: out: &mut DeviceBuf<'_, Npu<0>, [[f32; 4]; 8]>,
) -> Result<()> {
    let (a, b) = (a.array()?, b.array()?);
    array::matmul(current, &a, &b, out.array_mut()?, CubeMath::Keep)?; //~ mistake
    //~ instead: array::matmul(current, &a, &b, out.array_mut()?, CubeMath::Keep)?;
    Ok(())
}
