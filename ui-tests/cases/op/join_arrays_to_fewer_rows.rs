//! Joins arrays to an output that has not as many rows as both.

use ascendcl::op::array;
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &DeviceBuf<'_, Npu<0>, [[f32; 16]; 8]>,
    b: &DeviceBuf<'_, Npu<0>, [[f32; 16]; 3]>,
    out: &mut DeviceBuf<'_, Npu<0>, [[f32; 16]; 10]>, //~ mistake
    //~ instead: out: &mut DeviceBuf<'_, Npu<0>, [[f32; 16]; 11]>,
) -> Result<()> {
    array::cat(current, &a.array()?, &b.array()?, out.array_mut()?)?; //~ mistake
    //~ instead: array::cat(current, &a.array()?, &b.array()?, out.array_mut()?)?;
    Ok(())
}
