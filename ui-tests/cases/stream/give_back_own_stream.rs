//! Gives a stream of the program back, as if another library owned it.

use ascendcl::{Npu, Result, Stream, StreamName};

enum Torch {}
impl StreamName for Torch {}

fn wrong(stream: Stream<'_, '_, Npu<0>, Torch>) -> Result<()> {
    stream.give_back() //~ mistake
    //~ instead: stream.destroy()
}
