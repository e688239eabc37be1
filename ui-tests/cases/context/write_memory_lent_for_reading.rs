//! Lets the device write to memory that was lent for reading.

use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    source: &Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
    numbers: &mut [u32],
) -> Result<()> {
    current.scope(|scope| {
        let mut lent = stream.adopt(scope.lend(&numbers[..])); //~ mistake
        //~ instead: let mut lent = stream.adopt(scope.lend(&mut numbers[..]));
        stream.memcpy_async(&mut lent, source) //~ mistake
        //~ instead: stream.memcpy_async(&mut lent, source)
    })?
}
