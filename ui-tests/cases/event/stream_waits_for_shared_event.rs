//! Gives a stream an event that processes share as if it was one of this process.

use ascendcl::share::{Imported, SharedEvent};
use ascendcl::{Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    filled: &mut SharedEvent<'_, Imported<Npu<0>>>,
) -> Result<()> {
    stream.wait(filled) //~ mistake
    //~ instead: filled.wait(stream)
}
