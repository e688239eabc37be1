//! Passes memory of another process on to a third one under a key of this process.

use ascendcl::share::{Imported, Importers, MemoryKey, SharedBuf};
use ascendcl::{Current, Npu, Result};

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    shared: &'dev SharedBuf<'dev, Imported<Npu<0>>, f32>,
) -> Result<MemoryKey> {
    Ok(current.export_memory(shared, Importers::Any)?.key()) //~ mistake
    //~ instead: Ok(shared.key()) // the key of its owner
}
