//! Frees an operand of a list before the operator has run.

use ascendcl::{Current, DeviceBuf, Npu, Result, Stream, op};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    a: DeviceBuf<'_, Npu<0>, [f32]>,
    b: DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let out = current.malloc(32)?.into_tensor(&[32])?;
    let plan = op::cat(current, &[&a.tensor(&[16])?, &b.tensor(&[16])?], 0, out)?;
    b.free()?; //~ mistake
    plan.run(stream)?;
    //~ instead: b.free()?;
    Ok(())
}
