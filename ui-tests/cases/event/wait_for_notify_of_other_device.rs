//! Waits on a stream of one device for a notify of another one.

use std::time::Duration;

use ascendcl::share::{Exported, SharedNotify};
use ascendcl::{Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<1>>, //~ mistake
    //~ instead: stream: &mut Stream<'_, '_, Npu<0>>,
    filled: &mut SharedNotify<'_, Exported<Npu<0>>>,
) -> Result<()> {
    filled.wait_and_reset(stream, Duration::from_secs(1))
}
