//! Gives a borrowed stream to a function that asks for one of the program.

use ascendcl::interop::Foreign;
use ascendcl::{Npu, Result, Stream, StreamName};

enum Torch {}
impl StreamName for Torch {}

fn wait(
    stream: &mut Stream<'_, '_, Npu<0>, Torch>, //~ mistake
    //~ instead: stream: &mut Stream<'_, '_, Npu<0>, Foreign<Torch>>,
) -> Result<()> {
    stream.synchronize().map(drop)
}

fn wrong(stream: &mut Stream<'_, '_, Npu<0>, Foreign<Torch>>) -> Result<()> {
    wait(stream)
}
