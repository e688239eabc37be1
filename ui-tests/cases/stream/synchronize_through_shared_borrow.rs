//! Waits for a stream that is only borrowed for reading.

use ascendcl::{Npu, Result, Stream};

fn wrong(
    stream: &Stream<'_, '_, Npu<0>>, //~ mistake
    //~ instead: stream: &mut Stream<'_, '_, Npu<0>>,
) -> Result<()> {
    stream.synchronize()?; //~ mistake
    //~ instead: stream.synchronize()?;
    Ok(())
}
