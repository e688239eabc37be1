//! Makes an operand of queued memory that nothing has written.

use ascendcl::op;
use ascendcl::{Current, Npu, Result, Stream};

fn wrong(current: Current<'_, '_, Npu<0>>, stream: &mut Stream<'_, '_, Npu<0>>) -> Result<()> {
    let fresh = stream.adopt(current.malloc::<f32>(16)?);
    //~ instead: let fresh = stream.memset_async(fresh, 0)?;
    let a = fresh.tensor(&[16])?; //~ mistake
    //~ instead: let a = fresh.tensor(&[16])?;
    let out = stream.adopt(current.malloc(16)?).into_tensor(&[16])?;
    op::mul(current, &a, &a, out).map(drop)
}
