//! Changes fresh memory by a function of what it holds.

use ascendcl::op;
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    written: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let fresh = current.malloc::<f32>(16)?; //~ mistake
    op::inplace_exp(current, fresh.into_tensor(&[16])?)?; //~ mistake
    //~ instead: let fresh = written;
    //~ instead: op::inplace_exp(current, fresh.tensor_mut(&[16])?)?;
    Ok(())
}
