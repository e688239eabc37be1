//! Reads an output between the two phases of an operator.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    out: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    on_host: &mut HostBuf<'_, [f32]>,
) -> Result<()> {
    let plan = op::mul(current, a, a, out.tensor_mut(&[16])?)?;
    current.memcpy(on_host, &*out)?; //~ mistake
    plan.run(stream)?;
    //~ instead: current.memcpy(on_host, &*out)?;
    Ok(())
}
