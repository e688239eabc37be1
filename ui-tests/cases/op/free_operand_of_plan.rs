//! Frees an operand between the two phases of an operator.

use ascendcl::{Current, DeviceBuf, Npu, Result, Stream, op};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    a: DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let shape = [a.len()];
    let out = current.malloc(a.len())?.into_tensor(&shape)?;
    let operand = a.tensor(&shape)?;
    let plan = op::mul(current, &operand, &operand, out)?;
    a.free()?; //~ mistake
    plan.run(stream)?;
    //~ instead: a.free()?;
    Ok(())
}
