//! Destroys the default stream, parked: it belongs to the device.

use ascendcl::stream::DefaultName;
use ascendcl::{Current, Npu, ParkedStream, Result};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    parked: ParkedStream<'d, Npu<0>, DefaultName>,
) -> Result<()> {
    parked.destroy(current)?; //~ mistake
    //~ instead: drop((parked, current));
    Ok(())
}
