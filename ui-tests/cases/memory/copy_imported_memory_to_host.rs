//! Downloads memory of another process: between two devices AscendCL has no such copy.

use ascendcl::share::{Imported, SharedBuf};
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result, Stream};

fn wrong<'dev>(
    stream: &mut Stream<'_, 'dev, Npu<0>>,
    to: &mut Queued<'dev, (Npu<0>, Main), HostBuf<'dev, [f32]>>,
    shared: &Queued<'dev, (Npu<0>, Main), SharedBuf<'dev, Imported<Npu<0>>, f32>>,
) -> Result<()> {
    stream.memcpy_async(to, shared)?; //~ mistake
    //~ instead: let here = stream.memcpy_async(stream.malloc(shared.len())?, shared)?;
    //~ instead: stream.memcpy_async(to, &here)?;
    Ok(())
}
