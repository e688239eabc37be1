//! Creates a stream as if it belonged to another library.

use ascendcl::interop::Foreign;
use ascendcl::{Current, Npu, Result, StreamName};

enum Torch {}
impl StreamName for Torch {}

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let stream = current.create_stream::<Foreign<Torch>>()?; //~ mistake
    //~ instead: let stream = current.create_stream::<Torch>()?;
    drop(stream);
    Ok(())
}
