//! Downloads what a stream has allocated and nothing has written.

use ascendcl::stream::Main;
use ascendcl::{Current, HostSide, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, host: HostSide<'_>) -> Result<Vec<f32>> {
    let mut stream = current.create_stream::<Main>()?;
    let on_device = stream.malloc::<f32>(4)?; //~ mistake
    //~ instead: let on_device = stream.memset_async(stream.malloc::<f32>(4)?, 0)?;
    let result = stream.memcpy_async(stream.malloc_host(host, 4)?, &on_device)?;
    Ok(stream.synchronize()?.take(result).to_vec())
}
