//! Grows memory of one device while the thread is bound to another one.

use ascendcl::memory::ReservedBuf;
use ascendcl::{Device, Npu, Result, Thread};

fn wrong(
    thread: &mut Thread,
    (mine, other): (&Device<'_, Npu<0>>, &Device<'_, Npu<1>>),
    cache: &mut ReservedBuf<'_, Npu<0>, f32>,
) -> Result<()> {
    cache.map_mem(thread.set_current(other)?, 1000) //~ mistake
    //~ instead: cache.map_mem(thread.set_current(mine)?, 1000)
}
