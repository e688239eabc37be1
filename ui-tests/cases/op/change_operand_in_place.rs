//! Adds a buffer to itself in place: the operator would read what it has written.

use ascendcl::{Current, DeviceBuf, Npu, Result, op};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    mut a: DeviceBuf<'_, Npu<0>, [f32]>,
    #[allow(unused)] other: DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let b = a.tensor(&[16])?; //~ mistake
    //~ instead: let b = other.tensor(&[16])?;
    op::inplace_add(current, a.tensor_mut(&[16])?, &b, 1.0)?;
    Ok(())
}
