//! Hands memory of one context to a stream of another.

use ascendcl::stream::Main;
use ascendcl::{Ctx, DeviceBuf, Npu, Stream};

fn wrong(
    (first, second): (
        &Stream<'_, '_, Ctx<Npu<0>, 1>, Main>,
        &Stream<'_, '_, Ctx<Npu<0>, 2>, Main>,
    ),
    buf: DeviceBuf<'_, Ctx<Npu<0>, 1>, [f32]>,
) {
    let _ = second.adopt(buf); //~ mistake
    //~ instead: let _ = second;
    //~ instead: let _ = first.adopt(buf);
}
