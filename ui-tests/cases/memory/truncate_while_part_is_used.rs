//! Shortens a buffer that grows while a part of it is used.

use ascendcl::memory::ReservedBuf;
use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, cache: &mut ReservedBuf<'_, Npu<0>, f32>) -> Result<()> {
    let first = cache.slice(0..16)?; //~ mistake
    cache.truncate(8); //~ mistake
    //~ instead: cache.truncate(8);
    //~ instead: let first = cache.slice(0..8)?;
    let copy = current.memcpy(current.malloc(first.len())?, first)?;
    copy.free()
}
