//! Takes memory of one context back by a wait for a stream of another.

use ascendcl::stream::Main;
use ascendcl::{Ctx, DeviceBuf, Npu, Result, Stream};

fn wrong(
    (first, second): (
        &mut Stream<'_, '_, Ctx<Npu<0>, 1>, Main>,
        &mut Stream<'_, '_, Ctx<Npu<0>, 2>, Main>,
    ),
    buf: DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let queued = first.adopt(buf);
    second.synchronize()?.take(queued).free() //~ mistake
    //~ instead: second.synchronize()?;
    //~ instead: first.synchronize()?.take(queued).free()
}
