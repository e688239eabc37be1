//! Makes a tensor for another library of memory that queued work still writes.

use ascendcl::dlpack::ManagedTensor;
use ascendcl::{Current, Npu, Result, Stream};

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    stream: &mut Stream<'_, 'dev, Npu<0>>,
) -> Result<ManagedTensor<'dev>> {
    let buffer = stream.adopt(current.malloc::<f32>(4)?);
    let buffer = stream.memset_async(buffer, 0)?;
    current.to_dlpack(buffer, &[4]) //~ mistake
    //~ instead: current.to_dlpack(stream.synchronize()?.take(buffer), &[4])
}
