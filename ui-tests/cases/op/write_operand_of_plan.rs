//! Fills an operand between the two phases of an operator.

use ascendcl::op::{self, TensorOut};
use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    buf: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    out: TensorOut<&mut DeviceBuf<'_, Npu<0>, [f32]>>,
) -> Result<()> {
    let a = buf.tensor(&[16])?;
    let plan = op::mul(current, &a, &a, out)?;
    current.memset(&mut *buf, 0)?; //~ mistake
    plan.run(stream)?;
    //~ instead: current.memset(&mut *buf, 0)?;
    Ok(())
}
