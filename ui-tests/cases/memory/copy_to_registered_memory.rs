//! Copies to host memory that is mapped for the device.

use ascendcl::scope::Scope;
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, HostSide, Npu, Queued, Result, Stream};

fn wrong<'scope>(
    current: Current<'_, '_, Npu<0>>,
    host: HostSide<'_>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    scope: &'scope Scope<'scope, '_, Npu<0>>,
    source: &Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [f32]>>,
    numbers: &'scope mut [f32],
) -> Result<()> {
    let mut lent = stream.adopt(scope.lend_mapped(current, host, numbers)?); //~ mistake
    //~ instead: let mut lent = stream.adopt(scope.lend_pinned(current, host, numbers)?);
    stream.memcpy_async(&mut lent, source) //~ mistake
    //~ instead: stream.memcpy_async(&mut lent, source)
}
