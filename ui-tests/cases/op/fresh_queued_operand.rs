//! Makes an operand of queued memory that nothing has written.

use ascendcl::{Current, Npu, Result, Stream};

fn wrong(current: Current<'_, '_, Npu<0>>, stream: &mut Stream<'_, '_, Npu<0>>) -> Result<()> {
    let fresh = stream.adopt(current.malloc::<f32>(16)?);
    //~ instead: let fresh = stream.memset_async(fresh, 0)?;
    fresh.tensor(&[16])?; //~ mistake
    //~ instead: fresh.tensor(&[16])?;
    Ok(())
}

fn main() {
    let _ = wrong;
}
