//! Waits for a stream that is on no thread.

use ascendcl::stream::Main;
use ascendcl::{Current, Npu, ParkedStream, Result};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    parked: ParkedStream<'d, Npu<0>, Main>,
) -> Result<()> {
    parked.synchronize()?; //~ mistake
    //~ instead: current.attach(parked).synchronize()?;
    Ok(())
}
