//! Hands a pair to a stream, of which one half belongs to another device.
#![allow(unused)]

use ascendcl::{DeviceBuf, HostBuf, Npu, Stream};

fn wrong(
    on_0: &Stream<'_, '_, Npu<0>>,
    on_1: &Stream<'_, '_, Npu<1>>,
    host: HostBuf<'_, [u32]>,
    buf_on_1: DeviceBuf<'_, Npu<1>, [u32]>,
) {
    let pair = on_0.adopt((host, buf_on_1)); //~ mistake
    //~ instead: let pair = on_1.adopt((host, buf_on_1));
}
