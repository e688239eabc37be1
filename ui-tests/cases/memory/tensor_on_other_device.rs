//! Makes a tensor that names one device of memory of another one.

use ascendcl::dlpack::ManagedTensor;
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong<'dev>(
    (first, second): (Current<'_, 'dev, Npu<0>>, Current<'_, 'dev, Npu<1>>),
    buffer: DeviceBuf<'dev, Npu<1>, [f32]>,
) -> Result<ManagedTensor<'dev>> {
    first.to_dlpack(buffer, &[4]) //~ mistake
    //~ instead: second.to_dlpack(buffer, &[4])
}
