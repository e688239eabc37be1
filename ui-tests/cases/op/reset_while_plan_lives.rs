//! Resets a device while a plan owns its workspace there.

use ascendcl::op::{self, Tensor, TensorOut};
use ascendcl::{Acl, DeviceBuf, Npu, Result, Thread};

fn wrong(
    acl: &Acl,
    thread: &mut Thread,
    a: &Tensor<'_, Npu<0>, f32>,
    out: TensorOut<&mut DeviceBuf<'_, Npu<0>, [f32]>>,
) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let plan = op::mul(thread.set_current(&device)?, a, a, out)?;
    device.reset()?; //~ mistake
    drop(plan); //~ mistake
    //~ instead: drop(plan);
    //~ instead: device.reset()?;
    Ok(())
}
