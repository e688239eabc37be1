//! Creates a stream under the name of the default stream.

use ascendcl::stream::DefaultName;
use ascendcl::{Current, Npu, Result};

fn wrong<'c>(current: Current<'c, 'c, Npu<0>>) -> Result<()> {
    let mut stream = current.create_stream::<DefaultName>()?; //~ mistake
    //~ instead: let mut stream = current.default_stream()?;
    stream.synchronize()?;
    Ok(())
}
