//! Prepares an operator with operands of one stream and an output of another.

use ascendcl::op::{self, Tensor};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result, StreamName};

enum Download {}
impl StreamName for Download {}

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, (Npu<0>, Main), f32>,
    on_main: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [f32]>>,
    on_down: &mut Queued<'_, (Npu<0>, Download), DeviceBuf<'_, Npu<0>, [f32]>>,
) -> Result<()> {
    drop(op::mul(current, a, a, on_down.tensor_mut(&[16])?)?); //~ mistake
    //~ instead: drop(op::mul(current, a, a, on_main.tensor_mut(&[16])?)?);
    Ok(())
}
