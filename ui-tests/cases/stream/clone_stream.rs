//! Clones a stream, which would be destroyed twice.

use ascendcl::{Npu, Result, Stream};

fn wrong(stream: Stream<'_, '_, Npu<0>>) -> Result<()> {
    let other = stream.clone(); //~ mistake
    other.destroy()?; //~ mistake
    stream.destroy()
}
