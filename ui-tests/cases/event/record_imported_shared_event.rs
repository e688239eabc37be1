//! Records an event that another process has created.

use ascendcl::share::{Imported, SharedEvent};
use ascendcl::{Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    filled: &mut SharedEvent<'_, Imported<Npu<0>>>,
) -> Result<()> {
    filled.record(stream)?; //~ mistake
    //~ instead: filled.wait(stream)?;
    Ok(())
}
