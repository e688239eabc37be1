//! Aborts a stream on a device that stops on failure, where a fence vouches for the work before it.

use ascendcl::{Npu, Result, Stopping, Stream};

fn wrong(
    stream: Stream<'_, '_, Stopping<Npu<0>>>, //~ mistake
    //~ instead: stream: Stream<'_, '_, Npu<0>>,
) -> Result<()> {
    stream.abort()?; //~ mistake
    //~ instead: stream.abort()?;
    Ok(())
}
