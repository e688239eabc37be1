//! Destroys a stream inside the closure at whose end it is parked.

use ascendcl::stream::Main;
use ascendcl::{Current, Npu, ParkedStream, Result};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    mut parked: ParkedStream<'d, Npu<0>, Main>,
) -> Result<()> {
    parked.with(current, |stream| stream.destroy())?; //~ mistake
    //~ instead: parked.with(current, |stream| stream.synchronize().map(drop))?;
    //~ instead: parked.destroy(current)?;
    Ok(())
}
