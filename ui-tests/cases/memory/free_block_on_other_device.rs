//! Frees a block of one device while the thread is bound to another, whose wait says nothing of it.

use ascendcl::memory::{Block, Dev};
use ascendcl::{Device, Npu, Result, Thread};

fn wrong<'dev>(
    thread: &mut Thread,
    (mine, other): (&'dev Device<'_, Npu<0>>, &'dev Device<'_, Npu<1>>),
    block: Block<'dev, Dev<Npu<0>>>,
) -> Result<()> {
    block.free_with_dev_sync(thread.set_current(other)?) //~ mistake
    //~ instead: let _ = other;
    //~ instead: block.free_with_dev_sync(thread.set_current(mine)?)
}
