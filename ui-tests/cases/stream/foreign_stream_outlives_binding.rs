//! Binds another device while a borrowed stream of the first one is in use.

use ascendcl::{Device, Npu, Result, StreamName, Thread, sys};

enum Torch {}
impl StreamName for Torch {}

fn wrong(
    thread: &mut Thread,
    (mine, other): (&Device<'_, Npu<0>>, &Device<'_, Npu<1>>),
    raw: sys::aclrtStream,
) -> Result<()> {
    let current = thread.set_current(mine)?;
    // SAFETY: the other library keeps the stream.
    let mut stream = unsafe { current.borrow_raw_stream::<Torch>(raw) }?;
    thread.set_current(other)?; //~ mistake
    stream.synchronize()?;
    //~ instead: drop(stream);
    //~ instead: thread.set_current(other)?;
    Ok(())
}
