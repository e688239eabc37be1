//! Plans an operator by its type: nothing refuses rows without elements, for which it would leave `r` unwritten.

use ascendcl::memory::Uninit;
use ascendcl::op::{Operator, Tensor, TensorOut, operators::RmsNorm};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    rows: &Tensor<'_, Npu<0>, f32>,
    gamma: &Tensor<'_, Npu<0>, f32>,
    out: TensorOut<DeviceBuf<'d, Npu<0>, [f32], Uninit>>,
    r: TensorOut<DeviceBuf<'d, Npu<0>, [f32], Uninit>>,
) -> Result<()> {
    RmsNorm::<f32>::plan(current, (rows, gamma, 1e-6, out, r))?; //~ mistake
    //~ instead: ascendcl::op::rms_norm(current, rows, gamma, 1e-6, out, r)?;
    Ok(())
}
