//! Destroys the default stream.

use ascendcl::{Current, Npu, Result};

fn wrong<'c>(current: Current<'c, 'c, Npu<0>>) -> Result<()> {
    let mut stream = current.default_stream()?;
    stream.synchronize()?;
    stream.destroy()?; //~ mistake
    Ok(())
}
