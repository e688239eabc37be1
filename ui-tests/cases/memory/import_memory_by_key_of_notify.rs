//! Imports memory by the key of a notify.

use ascendcl::share::{Imported, NotifyKey, SharedBuf}; //~ mistake
//~ instead: use ascendcl::share::{Imported, MemoryKey, SharedBuf};
use ascendcl::{Current, Npu, Result};

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    key: &NotifyKey, //~ mistake
    //~ instead: key: &MemoryKey,
) -> Result<SharedBuf<'dev, Imported<Npu<0>>, f32>> {
    // SAFETY: the other process has sent its key, and ends behind this one.
    unsafe { current.import_memory(key) }
}
