//! Waits on a stream of one device for an event that was imported for another one.

use ascendcl::share::{Imported, SharedEvent};
use ascendcl::{Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<1>>, //~ mistake
    //~ instead: stream: &mut Stream<'_, '_, Npu<0>>,
    filled: &mut SharedEvent<'_, Imported<Npu<0>>>,
) -> Result<()> {
    filled.wait(stream)
}
