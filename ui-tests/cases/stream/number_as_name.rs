//! Creates a stream whose tag all streams with a number share.

use ascendcl::stream::Numbered;
use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let mut stream = current.create_stream::<Numbered>()?; //~ mistake
    stream.synchronize()?; //~ mistake
    //~ instead: let mut stream = current.create_parked_stream()?;
    //~ instead: stream.with(current, |stream| stream.synchronize().map(drop))?;
    Ok(())
}
