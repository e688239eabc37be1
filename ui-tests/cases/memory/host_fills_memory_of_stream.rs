//! Writes an element of host memory that a stream has allocated and may be using.

use ascendcl::stream::Main;
use ascendcl::{Current, HostSide, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, host: HostSide<'_>) -> Result<()> {
    let stream = current.create_stream::<Main>()?;
    let mut numbers = stream.malloc_host::<f32>(host, 4)?; //~ mistake
    //~ instead: let mut numbers = current.malloc_host::<f32>(host, 4)?;
    numbers[0] = 1.5;
    stream.destroy()
}
