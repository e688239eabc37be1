//! Gives memory of the second media interface to code for the first: each has an allocator of its own.

use ascendcl::{Current, DvppBuf, Npu, Result};

fn release(buf: DvppBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    buf.free()
}

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let buf = current.memset(current.malloc_dvpp_v2::<u8>(64)?, 0)?; //~ mistake
    //~ instead: let buf = current.memset(current.malloc_dvpp::<u8>(64)?, 0)?;
    release(buf)
}
