//! Names the tag of a recording as the tag of a stream that waits.

use ascendcl::stream::GraphBrand;
use ascendcl::{Npu, Result, Stream, bounds::StreamTag};

fn wait<S: StreamTag>(stream: &mut Stream<'_, '_, Npu<0>, S>) -> Result<()> {
    stream.synchronize().map(drop)
}

fn wrong(recording: &mut Stream<'_, '_, Npu<0>, GraphBrand<'_>>, stream: &mut Stream<'_, '_, Npu<0>>) -> Result<()> {
    wait(recording) //~ mistake
    //~ instead: wait(stream)
}
