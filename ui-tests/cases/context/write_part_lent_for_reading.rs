//! Lets the device fill a part of a buffer that was lent for reading.

use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    buf: &mut DeviceBuf<'_, Npu<0>, [u32]>,
) -> Result<()> {
    let part = buf.slice(0..16)?; //~ mistake
    //~ instead: let part = buf.slice_mut(0..16)?;
    current.scope(|scope| {
        let mut lent = stream.adopt(scope.lend(part));
        stream.memset_async(&mut lent, 0) //~ mistake
        //~ instead: stream.memset_async(&mut lent, 0)
    })?
}
