//! Uploads to memory of another process: between two devices AscendCL has no such copy.

use ascendcl::share::{Imported, SharedBuf};
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result, Stream};

fn wrong<'dev>(
    stream: &mut Stream<'_, 'dev, Npu<0>>,
    shared: &mut Queued<'dev, (Npu<0>, Main), SharedBuf<'dev, Imported<Npu<0>>, f32>>,
    from: &Queued<'dev, (Npu<0>, Main), HostBuf<'dev, [f32]>>,
) -> Result<()> {
    stream.memcpy_async(shared, from) //~ mistake
    //~ instead: let here = stream.memcpy_async(stream.malloc(from.len())?, from)?;
    //~ instead: stream.memcpy_async(shared, &here)
}
