//! Copies all memory of an output of which an operator has written the front only.

use ascendcl::memory::Dev;
use ascendcl::op::Counted;
use ascendcl::{Current, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    counted: &Counted<'_, Dev<Npu<0>>, [i64]>,
    back: &mut HostBuf<'_, [i64]>,
) -> Result<()> {
    current.memcpy(back, counted) //~ mistake
    //~ instead: current.memcpy(back, counted.front()?)
}
