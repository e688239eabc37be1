//! Fills host memory by a method of slices before it is one.

use ascendcl::stream::Main;
use ascendcl::{Current, HostSide, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, host: HostSide<'_>) -> Result<()> {
    let mut stream = current.create_stream::<Main>()?;
    let numbers = stream.malloc_host::<u32>(host, 4)?;
    let mut numbers = stream.synchronize()?.take(numbers); //~ mistake
    numbers.fill(7); //~ mistake
    //~ instead: let numbers = stream.synchronize()?.take(numbers);
    //~ instead: current.memset(numbers, 7)?;
    Ok(())
}
