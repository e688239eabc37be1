//! Lends both operands of a copy for writing, and borrows both leases so.

use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>, Main>,
    mut numbers: Vec<u32>,
    mut on_device: DeviceBuf<'_, Npu<0>, [u32]>,
) -> Result<()> {
    current.scope(|scope| {
        let mut from = stream.adopt(scope.lend(&mut numbers[..]));
        let mut to = stream.adopt(scope.lend(&mut on_device));
        stream.memcpy_async(&mut from, &mut to) //~ mistake
        //~ instead: stream.memcpy_async(&mut to, &from)
    })?
}
