//! Uses memory that nothing has written as an operand.

use ascendcl::op;
use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let buf = current.malloc::<f32>(16)?;
    //~ instead: let buf = current.memset(buf, 0)?;
    let a = buf.tensor(&[16])?; //~ mistake
    //~ instead: let a = buf.tensor(&[16])?;
    let out = current.malloc(16)?.into_tensor(&[16])?;
    op::mul(current, &a, &a, out).map(drop)
}
