//! Takes a parked stream into use where the thread is bound to another device.

use ascendcl::stream::Main;
use ascendcl::{Current, Npu, ParkedStream, Result};

fn wrong<'d>(
    on_0: Current<'_, 'd, Npu<0>>,
    on_1: Current<'_, 'd, Npu<1>>,
    mut parked: ParkedStream<'d, Npu<0>, Main>,
) -> Result<()> {
    parked.with(on_1, |stream| stream.synchronize().map(drop)) //~ mistake
    //~ instead: parked.with(on_0, |stream| stream.synchronize().map(drop))
}
