//! Copies from queued memory that nothing has written.

use ascendcl::stream::Main;
use ascendcl::{Current, HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    back: &mut Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
) -> Result<()> {
    let fresh = stream.adopt(current.malloc::<u32>(16)?);
    stream.memcpy_async(back, &fresh)?; //~ mistake
    //~ instead: let written = stream.memset_async(fresh, 0)?;
    //~ instead: stream.memcpy_async(back, &written)?;
    Ok(())
}
