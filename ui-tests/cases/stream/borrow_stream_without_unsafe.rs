//! Borrows a stream of another library without a promise that it is one.

use ascendcl::{Current, Npu, Result, StreamName, sys};

enum Torch {}
impl StreamName for Torch {}

fn wrong(current: Current<'_, '_, Npu<0>>, raw: sys::aclrtStream) -> Result<()> {
    let mut stream = current.borrow_raw_stream::<Torch>(raw)?; //~ mistake
    //~ instead: let mut stream = unsafe { current.borrow_raw_stream::<Torch>(raw)? };
    stream.synchronize()?;
    Ok(())
}
