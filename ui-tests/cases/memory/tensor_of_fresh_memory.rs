//! Makes a tensor for another library of memory that nothing has written.

use ascendcl::dlpack::ManagedTensor;
use ascendcl::{Current, Npu, Result};

fn wrong<'dev>(current: Current<'_, 'dev, Npu<0>>) -> Result<ManagedTensor<'dev>> {
    let buffer = current.malloc::<f32>(4)?;
    //~ instead: let buffer = current.memset(buffer, 0)?;
    current.to_dlpack(buffer, &[4]) //~ mistake
    //~ instead: current.to_dlpack(buffer, &[4])
}
