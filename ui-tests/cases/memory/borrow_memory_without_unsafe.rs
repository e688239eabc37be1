//! Borrows memory of another library without a promise that it is there.

use ascendcl::memory::ForeignBuf;
use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, data: *mut f32) -> Result<()> {
    let tensor: ForeignBuf<'_, Npu<0>, [f32]> =
        current.borrow_raw_memory(&(), data, 16)?; //~ mistake
        //~ instead: unsafe { current.borrow_raw_memory(&(), data, 16)? };
    drop(tensor);
    Ok(())
}
