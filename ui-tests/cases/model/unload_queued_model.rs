//! Unloads a model while a stream may run it.

use ascendcl::model::{Model, Queueing};
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>, Main>,
    model: Queued<'d, (Npu<0>, Main), Model<'_, 'd, Npu<0>, Queueing>>,
) -> Result<()> {
    let _ = &stream; //~ mistake
    model.unload() //~ mistake
    //~ instead: stream.synchronize()?.take(model).unload()
}
