//! Fills host memory that is mapped for the device by a task.

use ascendcl::scope::Scope;
use ascendcl::{Current, HostBuf, HostSide, Npu, Result, Stream};

fn wrong<'scope>(
    current: Current<'_, '_, Npu<0>>,
    host: HostSide<'_>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    scope: &'scope Scope<'scope, '_, Npu<0>>,
    numbers: &'scope mut HostBuf<'_, [f32]>,
) -> Result<()> {
    //~ instead: numbers.fill(0.0);
    let mut lent = stream.adopt(scope.lend_mapped(current, host, numbers)?);
    stream.memset_async(&mut lent, 0)?; //~ mistake
    Ok(())
}
