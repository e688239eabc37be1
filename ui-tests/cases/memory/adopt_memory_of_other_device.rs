//! Hands memory of one device to a stream of another.
#![allow(unused)]

use ascendcl::{DeviceBuf, Npu, Stream};

fn wrong(
    on_0: &Stream<'_, '_, Npu<0>>,
    on_1: &Stream<'_, '_, Npu<1>>,
    buf_on_1: DeviceBuf<'_, Npu<1>, [u32]>,
) {
    let queued = on_0.adopt(buf_on_1); //~ mistake
    //~ instead: let queued = on_1.adopt(buf_on_1);
}
