//! Releases the owner of borrowed memory while the memory is in use.

use ascendcl::memory::ForeignBuf;
use ascendcl::{Current, Npu, Result};

struct Tensor {
    data: *mut f32,
}

fn wrong(current: Current<'_, '_, Npu<0>>, tensor: Tensor) -> Result<()> {
    // SAFETY: a tensor of 16 elements that nothing else uses.
    let mut borrowed: ForeignBuf<'_, Npu<0>, [f32]> =
        unsafe { current.borrow_raw_memory(&tensor, tensor.data, 16) }?;
    drop(tensor); //~ mistake
    current.memset(&mut borrowed, 0)?;
    //~ instead: drop(borrowed);
    //~ instead: drop(tensor);
    Ok(())
}
