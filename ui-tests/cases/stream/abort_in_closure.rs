//! Aborts a stream inside the closure at whose end it is parked.

use ascendcl::stream::Main;
use ascendcl::{Current, Npu, ParkedStream, Result};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    mut parked: ParkedStream<'d, Npu<0>, Main>,
) -> Result<()> {
    parked.with(current, |stream| stream.abort().map(drop))?; //~ mistake
    //~ instead: parked.with(current, |stream| stream.drain().map(drop))?;
    //~ instead: drop(parked.abort(current)?);
    Ok(())
}
