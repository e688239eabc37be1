//! Exports memory that nobody has written: the other process would read what was there before.

use ascendcl::share::{Exported, Importers, SharedBuf};
use ascendcl::{Current, Npu, Result};

fn wrong<'dev>(current: Current<'_, 'dev, Npu<0>>) -> Result<SharedBuf<'dev, Exported<Npu<0>>, f32>> {
    let memory = current.malloc::<f32>(1024)?; //~ mistake
    //~ instead: let memory = current.memset(current.malloc::<f32>(1024)?, 0)?;
    current.export_memory(memory, Importers::Any)
}
