//! Imports an event without a word about the process that has to keep it.

use ascendcl::share::{EventKey, Imported, SharedEvent};
use ascendcl::{Current, Npu, Result};

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    key: &EventKey,
) -> Result<SharedEvent<'dev, Imported<Npu<0>>>> {
    current.import_event(key) //~ mistake
    //~ instead: // SAFETY: the other process has sent its key, and ends behind this one.
    //~ instead: unsafe { current.import_event(key) }
}
