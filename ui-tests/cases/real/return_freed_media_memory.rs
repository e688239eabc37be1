//! Frees media memory and returns it to the caller all the same.

use ascendcl::{DvppBuf, Npu, Result};

fn wrong(frame: DvppBuf<'_, Npu<0>, [u8]>) -> Result<DvppBuf<'_, Npu<0>, [u8]>> {
    frame.free()?; //~ mistake
    Ok(frame)
}
