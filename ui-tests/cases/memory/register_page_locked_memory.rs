//! Registers memory of `malloc_host` as page-locked, which it is.

use ascendcl::scope::Scope;
use ascendcl::{Current, HostBuf, HostSide, Npu, Result, Stream};

fn wrong<'scope>(
    current: Current<'_, '_, Npu<0>>,
    host: HostSide<'_>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    scope: &'scope Scope<'scope, '_, Npu<0>>,
    numbers: &'scope mut HostBuf<'_, [f32]>,
) -> Result<()> {
    let lent = scope.lend_pinned(current, host, numbers)?; //~ mistake
    //~ instead: let lent = scope.lend(numbers);
    let mut lent = stream.adopt(lent);
    let zeros = stream.memset_async(stream.malloc::<f32>(16)?, 0)?;
    stream.memcpy_async(&mut lent, &zeros)
}
