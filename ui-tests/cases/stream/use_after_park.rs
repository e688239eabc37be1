//! Uses a stream after it was taken off its thread.

use ascendcl::stream::Main;
use ascendcl::{Current, Npu, Result, Stream};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    mut stream: Stream<'_, 'd, Npu<0>, Main>,
) -> Result<()> {
    let parked = current.park(stream); //~ mistake
    stream.synchronize()?; //~ mistake
    //~ instead: stream.synchronize()?;
    //~ instead: let parked = current.park(stream);
    drop(parked);
    Ok(())
}
