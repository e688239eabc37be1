//! Destroys a stream of another library, which goes on to use it.

use ascendcl::interop::Foreign;
use ascendcl::{Npu, Result, Stream, StreamName};

enum Torch {}
impl StreamName for Torch {}

fn wrong(stream: Stream<'_, '_, Npu<0>, Foreign<Torch>>) -> Result<()> {
    stream.destroy() //~ mistake
    //~ instead: stream.give_back()
}
