//! Prepares an operator with the thread bound to another device than the operands'.

use ascendcl::op::{self, Tensor, TensorOut};
use ascendcl::{Device, DeviceBuf, Npu, Result, Thread};

fn wrong(
    thread: &mut Thread,
    (mine, other): (&Device<'_, Npu<0>>, &Device<'_, Npu<1>>),
    a: &Tensor<'_, Npu<0>, f32>,
    out: TensorOut<&mut DeviceBuf<'_, Npu<0>, [f32]>>,
) -> Result<()> {
    op::mul(thread.set_current(other)?, a, a, out)?; //~ mistake
    //~ instead: op::mul(thread.set_current(mine)?, a, a, out)?;
    Ok(())
}
