//! Unmaps memory at reserved addresses that a stream may be using.

use ascendcl::memory::ReservedBuf;
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    mut cache: Queued<'_, (Npu<0>, Main), ReservedBuf<'_, Npu<0>, f32>>,
) -> Result<()> {
    cache.truncate(1000);
    cache.unmap_mem() //~ mistake
    //~ instead: stream.synchronize()?.take(cache).unmap_mem()
}
