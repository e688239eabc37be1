//! Uses lent memory as an operand that was not handed to the stream.

use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    target: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
    numbers: &[u32],
) -> Result<()> {
    current.scope(|scope| {
        let lease = scope.lend(numbers);
        //~ instead: let lease = stream.adopt(lease);
        stream.memcpy_async(target, &lease) //~ mistake
        //~ instead: stream.memcpy_async(target, &lease)
    })?
}
