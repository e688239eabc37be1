//! Splits a tensor into itself and another output: the operator would write what it reads.

use ascendcl::{Current, DeviceBuf, Npu, Result, op};

fn wrong<'dev>(
    current: Current<'_, '_, Npu<0>>,
    mut a: DeviceBuf<'dev, Npu<0>, [f32]>,
    mut one: DeviceBuf<'dev, Npu<0>, [f32]>,
    #[allow(unused)] mut other: DeviceBuf<'dev, Npu<0>, [f32]>,
) -> Result<()> {
    let operand = a.tensor(&[2, 8])?;
    let first = one.tensor_mut(&[1, 8])?;
    let second = a.tensor_mut(&[1, 8])?; //~ mistake
    //~ instead: let second = other.tensor_mut(&[1, 8])?;
    op::split_tensor(current, &operand, 1, 0, vec![first, second])?;
    Ok(())
}
