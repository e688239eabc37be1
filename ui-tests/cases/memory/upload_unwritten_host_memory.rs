//! Uploads host memory that was allocated for downloads, and that nothing has written.

use ascendcl::stream::Main;
use ascendcl::{Current, HostSide, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, host: HostSide<'_>) -> Result<()> {
    let mut stream = current.create_stream::<Main>()?;
    let numbers = stream.malloc_host::<f32>(host, 4)?; //~ mistake
    //~ instead: let numbers = stream.malloc_host_from::<f32>(host, &[1.0; 4])?;
    let on_device = stream.memcpy_async(stream.malloc(4)?, &numbers)?;
    stream.synchronize()?.take(on_device).free()
}
