//! Uses the memory of another library's tensor behind the end of the tensor.

use ascendcl::dlpack::ManagedTensor;
use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, tensor: ManagedTensor<'_>) -> Result<()> {
    // SAFETY: written elements, which nothing else uses.
    let mut floats = unsafe { current.borrow_dlpack::<f32>(&tensor)? };
    drop(tensor); //~ mistake
    current.memset(&mut floats, 0)?;
    //~ instead: drop(floats);
    //~ instead: drop(tensor);
    Ok(())
}
