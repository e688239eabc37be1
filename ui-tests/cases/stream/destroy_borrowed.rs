//! Destroys a stream that belongs to the caller.

use ascendcl::{Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>, //~ mistake
    //~ instead: stream: Stream<'_, '_, Npu<0>>,
) -> Result<()> {
    stream.destroy() //~ mistake
    //~ instead: stream.destroy()
}
