//! Lends memory of one device to another.

use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong(
    on_0: Current<'_, '_, Npu<0>>,
    stream: &Stream<'_, '_, Npu<0>>,
    buf_on_0: &DeviceBuf<'_, Npu<0>, [u32]>,
    buf_on_1: &DeviceBuf<'_, Npu<1>, [u32]>,
) -> Result<()> {
    on_0.scope(|scope| {
        let _lent = stream.adopt(scope.lend(buf_on_1)); //~ mistake
        //~ instead: let _lent = stream.adopt(scope.lend(buf_on_0));
    })
}
