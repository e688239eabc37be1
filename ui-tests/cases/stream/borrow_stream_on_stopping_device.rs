//! Borrows a stream on a device that stops on failure, whose streams have to stop, too.

use ascendcl::{Current, Npu, Result, Stopping, StreamName, sys};

enum Torch {}
impl StreamName for Torch {}

fn wrong(
    current: Current<'_, '_, Stopping<Npu<0>>>, //~ mistake
    //~ instead: current: Current<'_, '_, Npu<0>>,
    raw: sys::aclrtStream,
) -> Result<()> {
    // SAFETY: the other library keeps the stream.
    let mut stream = unsafe { current.borrow_raw_stream::<Torch>(raw) }?; //~ mistake
    //~ instead: let mut stream = unsafe { current.borrow_raw_stream::<Torch>(raw) }?;
    stream.synchronize()?;
    Ok(())
}
