//! Aborts a stream of another library, whose work would be dropped.

use ascendcl::interop::Foreign;
use ascendcl::{Npu, Result, Stream, StreamName};

enum Torch {}
impl StreamName for Torch {}

fn wrong(stream: Stream<'_, '_, Npu<0>, Foreign<Torch>>) -> Result<()> {
    stream.abort()?; //~ mistake
    //~ instead: stream.give_back()?;
    Ok(())
}
