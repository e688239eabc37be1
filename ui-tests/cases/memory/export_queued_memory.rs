//! Exports memory that a stream may still write: the other process could read it before.

use ascendcl::share::{Exported, Importers, SharedBuf};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result, Stream};

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    stream: &mut Stream<'_, 'dev, Npu<0>>,
    memory: Queued<'dev, (Npu<0>, Main), DeviceBuf<'dev, Npu<0>, [f32]>>,
) -> Result<SharedBuf<'dev, Exported<Npu<0>>, f32>> {
    current.export_memory(memory, Importers::Any) //~ mistake
    //~ instead: let memory = stream.synchronize()?.take(memory);
    //~ instead: current.export_memory(memory, Importers::Any)
}
