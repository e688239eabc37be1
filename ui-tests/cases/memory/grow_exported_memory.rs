//! Grows memory that other processes may have mapped: they would not have what it has grown by.

use ascendcl::memory::{Reserved, ReservedBuf};
use ascendcl::share::{Exported, Importers, SharedBuf};
use ascendcl::{Current, Npu, Result};

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    mut cache: ReservedBuf<'dev, Npu<0>, f32>,
) -> Result<SharedBuf<'dev, Exported<Reserved<Npu<0>>>, f32>> {
    //~ instead: current.memset(cache.grow(current, 64)?, 0)?;
    let shared = current.export_memory(cache, Importers::Any)?;
    current.memset(cache.grow(current, 64)?, 0)?; //~ mistake
    Ok(shared)
}
