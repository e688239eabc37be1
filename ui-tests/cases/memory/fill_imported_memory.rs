//! Fills memory of another process, which the process that owns it can do.

use ascendcl::share::{Imported, SharedBuf}; //~ mistake
//~ instead: use ascendcl::share::{Exported, SharedBuf};
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

type Shared<'dev, M> = Queued<'dev, (Npu<0>, Main), SharedBuf<'dev, M, f32>>;

fn wrong<'dev>(
    stream: &mut Stream<'_, 'dev, Npu<0>>,
    shared: &mut Shared<'dev, Imported<Npu<0>>>, //~ mistake
    //~ instead: shared: &mut Shared<'dev, Exported<Npu<0>>>,
) -> Result<()> {
    stream.memset_async(shared, 0)
}
