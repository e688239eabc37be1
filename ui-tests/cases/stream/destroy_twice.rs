//! Destroys a stream twice.

use ascendcl::{Npu, Result, Stream};

fn wrong(stream: Stream<'_, '_, Npu<0>>) -> Result<()> {
    stream.destroy()?;
    stream.destroy()?; //~ mistake
    Ok(())
}
