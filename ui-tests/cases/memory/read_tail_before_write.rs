//! Reads the next elements of a buffer that grows before any work has written them.

use ascendcl::memory::ReservedBuf;
use ascendcl::{Current, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    cache: &mut ReservedBuf<'_, Npu<0>, f32>,
    back: &mut HostBuf<'_, [f32]>,
) -> Result<()> {
    let tail = cache.grow(current, 16)?;
    current.memcpy(back, &tail) //~ mistake
    //~ instead: let tail = current.memset(tail, 0)?;
    //~ instead: current.memcpy(back, &tail)
}
