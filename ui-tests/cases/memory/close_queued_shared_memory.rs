//! Ends an import while a stream may still use the memory: its addresses would be unmapped under the work.

use ascendcl::share::{Imported, SharedBuf};
use ascendcl::stream::Main;
use ascendcl::{Current, Npu, Queued, Result, Stream};

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    stream: &mut Stream<'_, 'dev, Npu<0>>,
    shared: Queued<'dev, (Npu<0>, Main), SharedBuf<'dev, Imported<Npu<0>>, f32>>,
) -> Result<()> {
    shared.close(current) //~ mistake
    //~ instead: stream.synchronize()?.take(shared).close(current)
}
