//! Makes a stream from a raw handle.

use ascendcl::{Current, Npu, Result, Stream};

fn wrong<'c>(current: Current<'c, 'c, Npu<0>>) -> Result<Stream<'c, 'c, Npu<0>>> {
    Ok(Stream {}) //~ mistake
    //~ instead: current.create_stream()
}
