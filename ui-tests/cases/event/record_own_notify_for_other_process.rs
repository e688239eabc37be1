//! Records the notify that this process itself waits for.

use ascendcl::share::{Exported, Imported, SharedNotify};
use ascendcl::{Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    filled: &mut SharedNotify<'_, Exported<Npu<0>>>,
    taken: &mut SharedNotify<'_, Imported<Npu<0>>>,
) -> Result<()> {
    filled.record(stream) //~ mistake
    //~ instead: taken.record(stream)
}
