//! Lets an operator write to host memory.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, HostBuf, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    on_host: &mut HostBuf<'_, [f32]>,
) -> Result<()> {
    op::mul(current, a, a, on_host.tensor_mut(&[16])?)?.run(stream)?; //~ mistake
    //~ instead: let out = current.malloc(16)?.into_tensor(&[16])?;
    //~ instead: current.memcpy(on_host, &op::mul(current, a, a, out)?.run(stream)?)?;
    Ok(())
}
