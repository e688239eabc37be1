//! Takes a parked stream into use on a thread that is bound to another device.

use ascendcl::stream::Main;
use ascendcl::{Current, Npu, ParkedStream, Result};

fn wrong<'d>(
    on_0: Current<'_, 'd, Npu<0>>,
    on_1: Current<'_, 'd, Npu<1>>,
    parked: ParkedStream<'d, Npu<0>, Main>,
) -> Result<()> {
    on_1.attach(parked).synchronize()?; //~ mistake
    //~ instead: on_0.attach(parked).synchronize()?;
    Ok(())
}
