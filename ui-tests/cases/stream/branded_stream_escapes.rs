//! Takes a branded stream out of its closure, where its brand would mean nothing.

use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let mut stream = current.with_stream(|stream| stream)?; //~ mistake
    stream.synchronize()?; //~ mistake
    //~ instead: current.with_stream(|mut stream| stream.synchronize().map(drop))??;
    Ok(())
}
