//! Frees memory that other processes may have.

use ascendcl::share::{Exported, SharedBuf};
use ascendcl::{Current, Npu, Result};

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    shared: SharedBuf<'dev, Exported<Npu<0>>, f32>,
) -> Result<()> {
    shared.free() //~ mistake
    //~ instead: shared.close(current)?.free()
}
