//! Writes positions of queued numbers to memory that is idle.

use ascendcl::op::{self, Tensor};
use ascendcl::stream::Main;
use ascendcl::{Current, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &Stream<'_, '_, Npu<0>>,
    a: &Tensor<'_, (Npu<0>, Main), f32>,
) -> Result<()> {
    let out = current.malloc::<i64>(16)?.into_tensor_up_to(&[16, 1])?; //~ mistake
    //~ instead: let out = stream.malloc::<i64>(16)?.into_tensor_up_to(&[16, 1])?;
    op::nonzero(current, a, out)?;
    Ok(())
}
