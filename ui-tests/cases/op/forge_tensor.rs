//! Makes a tensor without a buffer.

use ascendcl::op::Tensor;
use ascendcl::{DeviceBuf, Npu, Result};

fn wrong<'b>(buf: &'b DeviceBuf<'_, Npu<0>, [f32]>) -> Result<Tensor<'b, Npu<0>, f32>> {
    Ok(Tensor {}) //~ mistake
    //~ instead: buf.tensor(&[16])
}
