//! Aborts the default stream, which the runtime does not do.

use ascendcl::{Current, Npu, Result};

fn wrong<'c>(current: Current<'c, 'c, Npu<0>>) -> Result<()> {
    let stream = current.default_stream()?; //~ mistake
    //~ instead: let stream = current.create_stream::<ascendcl::stream::Main>()?;
    stream.abort()?; //~ mistake
    //~ instead: stream.abort()?;
    Ok(())
}
