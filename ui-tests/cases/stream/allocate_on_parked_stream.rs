//! Allocates page-locked memory on a stream that no thread has.

use ascendcl::stream::Main;
use ascendcl::{Current, HostSide, Npu, ParkedStream, Result};

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    host: HostSide<'dev>,
    stream: ParkedStream<'dev, Npu<0>, Main>,
) -> Result<()> {
    //~ instead: let stream = current.attach(stream);
    let numbers = stream.malloc_host_from(host, &[1.0_f32, 2.0])?; //~ mistake
    //~ instead: let numbers = stream.malloc_host_from(host, &[1.0_f32, 2.0])?;
    drop(numbers);
    let _ = current;
    Ok(())
}
