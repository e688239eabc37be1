//! Allocates from a pool of another device than the stream's.

use ascendcl::memory::Pool;
use ascendcl::stream::Main;
use ascendcl::{Npu, Result, Stream};

fn wrong(
    stream: &Stream<'_, '_, Npu<0>, Main>,
    own: &Pool<'_, Npu<0>>,
    other: &Pool<'_, Npu<1>>,
) -> Result<()> {
    stream.malloc_from::<f32>(other, 16)?; //~ mistake
    //~ instead: stream.malloc_from::<f32>(own, 16)?;
    Ok(())
}
