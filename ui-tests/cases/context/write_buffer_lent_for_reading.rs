//! Lets the device fill a buffer that was lent for reading.

use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    buf: &mut DeviceBuf<'_, Npu<0>, [u32]>,
) -> Result<()> {
    current.scope(|scope| {
        let mut lent = stream.adopt(scope.lend(&*buf)); //~ mistake
        //~ instead: let mut lent = stream.adopt(scope.lend(&mut *buf));
        stream.memset_async(&mut lent, 0) //~ mistake
        //~ instead: stream.memset_async(&mut lent, 0)
    })?
}
