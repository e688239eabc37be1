//! Imports memory without a word about the process that has to keep it.

use ascendcl::share::{Imported, MemoryKey, SharedBuf};
use ascendcl::{Current, Npu, Result};

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    key: &MemoryKey,
) -> Result<SharedBuf<'dev, Imported<Npu<0>>, f32>> {
    current.import_memory(key) //~ mistake
    //~ instead: // SAFETY: the other process has sent its key, and ends behind this one.
    //~ instead: unsafe { current.import_memory(key) }
}
