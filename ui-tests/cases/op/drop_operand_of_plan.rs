//! Prepares an operator with an operand that is freed at the end of its scope, before the run.

use ascendcl::op::{self, TensorOut};
use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    out: TensorOut<&mut DeviceBuf<'_, Npu<0>, [f32]>>,
) -> Result<()> {
    //~ instead: let buf = current.memset(current.malloc(16)?, 0)?;
    let plan = {
        let buf = current.memset(current.malloc(16)?, 0)?; //~ mistake
        let a = buf.tensor(&[16])?; //~ mistake
        //~ instead: let a = buf.tensor(&[16])?;
        op::mul(current, &a, &a, out)?
    };
    plan.run(stream)
}
