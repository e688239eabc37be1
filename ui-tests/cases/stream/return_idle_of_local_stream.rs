//! Returns the proof that a stream is idle, which is destroyed at the end of the function.

use ascendcl::stream::{Idle, Main};
use ascendcl::{Npu, Result, Stream};

fn wrong<'s>(
    mut stream: Stream<'s, 's, Npu<0>>, //~ mistake
    //~ instead: stream: &'s mut Stream<'s, 's, Npu<0>>,
) -> Result<Idle<'s, (Npu<0>, Main)>> {
    stream.synchronize() //~ mistake
    //~ instead: stream.synchronize()
}
