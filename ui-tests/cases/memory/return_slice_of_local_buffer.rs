//! Returns a part of a buffer that the function frees.

use ascendcl::memory::{Dev, Slice};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong<'b>(
    current: Current<'_, 'b, Npu<0>>,
    given: &'b DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<Slice<'b, Dev<Npu<0>>, [f32]>> {
    let copy = current.memcpy(current.malloc(given.len())?, given)?;
    copy.slice(0..8) //~ mistake
    //~ instead: given.slice(0..8)
}
