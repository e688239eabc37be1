//! Waits with a stream for an event that other processes wait for.

use ascendcl::share::{Exported, SharedEvent};
use ascendcl::{Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    filled: &mut SharedEvent<'_, Exported<Npu<0>>>,
) -> Result<()> {
    filled.wait(stream)?; //~ mistake
    //~ instead: filled.record(stream)?;
    Ok(())
}
