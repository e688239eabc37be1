//! Lets a normalisation move a running mean that nobody has written.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    running: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let out = current.malloc(8)?.into_tensor(&[4, 2])?;
    let (mean, variance) = (current.malloc(2)?.into_tensor(&[2])?, current.malloc(2)?.into_tensor(&[2])?);
    let running = current.malloc::<f32>(2)?.into_tensor(&[2])?; //~ mistake
    //~ instead: let running = running.tensor_mut(&[2])?;
    op::batch_norm(current, a, None, None, Some(running), (), 0.1, 1e-5, out, mean, variance)?;
    Ok(())
}
