//! Asks for the number of an event that processes share.

use ascendcl::share::{Exported, SharedEvent};
use ascendcl::{Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    filled: &mut SharedEvent<'_, Exported<Npu<0>>>,
) -> Result<()> {
    filled.record(stream)?;
    filled.id()?; //~ mistake
    Ok(())
}
