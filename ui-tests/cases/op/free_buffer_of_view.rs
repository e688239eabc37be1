//! Frees a buffer between the two phases of an operator that reads a view of it.

use ascendcl::{Current, DeviceBuf, Npu, Result, Stream, op};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    a: DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let out = current.malloc(a.len())?.into_tensor(&[4, 2])?;
    let transposed = a.tensor(&[2, 4])?.transpose(0, 1)?;
    let plan = op::mul(current, &transposed, &transposed, out)?;
    a.free()?; //~ mistake
    plan.run(stream)?;
    //~ instead: a.free()?;
    Ok(())
}
