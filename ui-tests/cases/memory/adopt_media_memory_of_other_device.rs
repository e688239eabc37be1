//! Hands media memory of one device to a stream of another.
#![allow(unused)]

use ascendcl::{DvppBuf, Npu, Stream};

fn wrong(
    on_0: &Stream<'_, '_, Npu<0>>,
    on_1: &Stream<'_, '_, Npu<1>>,
    picture_on_1: DvppBuf<'_, Npu<1>, [u8]>,
) {
    let queued = on_0.adopt(picture_on_1); //~ mistake
    //~ instead: let queued = on_1.adopt(picture_on_1);
}
