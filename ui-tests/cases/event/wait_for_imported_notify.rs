//! Waits for a notify that another process has created.

use std::time::Duration;

use ascendcl::share::{Exported, Imported, SharedNotify};
use ascendcl::{Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    filled: &mut SharedNotify<'_, Exported<Npu<0>>>,
    taken: &mut SharedNotify<'_, Imported<Npu<0>>>,
) -> Result<()> {
    taken.wait_and_reset(stream, Duration::from_secs(1)) //~ mistake
    //~ instead: filled.wait_and_reset(stream, Duration::from_secs(1))?;
    //~ instead: taken.record(stream)
}
