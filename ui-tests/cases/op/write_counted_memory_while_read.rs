//! Uses the memory of a counted output again while a part of it is still to be read.

use ascendcl::memory::Dev;
use ascendcl::op::Counted;
use ascendcl::{Current, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    counted: Counted<'_, Dev<Npu<0>>, [i64]>,
    back: &mut HostBuf<'_, [i64]>,
) -> Result<()> {
    let front = counted.front()?;
    let fresh = counted.into_fresh(); //~ mistake
    current.memcpy(back, front)?;
    //~ instead: let fresh = counted.into_fresh();
    current.memset(fresh, 0)?;
    Ok(())
}
