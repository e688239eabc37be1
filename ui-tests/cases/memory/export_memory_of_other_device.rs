//! Exports memory of one device from the binding of another one.

use ascendcl::memory::{Reserved, ReservedBuf};
use ascendcl::share::{Exported, Importers, SharedBuf};
use ascendcl::{Current, Npu, Result};

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>, //~ mistake
    //~ instead: current: Current<'_, 'dev, Npu<1>>,
    cache: ReservedBuf<'dev, Npu<1>, f32>,
) -> Result<SharedBuf<'dev, Exported<Reserved<Npu<1>>>, f32>> {
    current.export_memory(cache, Importers::Any)
}
