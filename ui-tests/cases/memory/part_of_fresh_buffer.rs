//! Takes a part of queued memory that nothing has written.

use ascendcl::{Current, Npu, Result, Stream};

fn wrong(current: Current<'_, '_, Npu<0>>, stream: &mut Stream<'_, '_, Npu<0>>) -> Result<()> {
    let fresh = stream.adopt(current.malloc::<u32>(16)?);
    //~ instead: let fresh = stream.memset_async(fresh, 0)?;
    drop(fresh.slice(0..4)?); //~ mistake
    //~ instead: drop(fresh.slice(0..4)?);
    Ok(())
}
