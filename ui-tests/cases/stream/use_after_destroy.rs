//! Waits for a stream that was destroyed.

use ascendcl::{Npu, Result, Stream};

fn wrong(mut stream: Stream<'_, '_, Npu<0>>) -> Result<()> {
    stream.destroy()?; //~ mistake
    stream.synchronize()?; //~ mistake
    //~ instead: stream.synchronize()?;
    //~ instead: stream.destroy()?;
    Ok(())
}
