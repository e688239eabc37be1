//! Copies from host memory that is mapped for the device: AscendCL allows no copy from the address that the device has for it.

use ascendcl::scope::Scope;
use ascendcl::{Current, HostSide, Npu, Result, Stream};

fn wrong<'scope>(
    current: Current<'_, '_, Npu<0>>,
    host: HostSide<'_>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    scope: &'scope Scope<'scope, '_, Npu<0>>,
    numbers: &'scope [f32],
) -> Result<()> {
    let fresh = stream.malloc::<f32>(numbers.len())?;
    let lent = stream.adopt(scope.lend_mapped(current, host, numbers)?);
    stream.memcpy_async(fresh, &lent)?; //~ mistake
    //~ instead: let lent = stream.adopt(scope.lend(numbers));
    //~ instead: stream.memcpy_async(fresh, &lent)?;
    Ok(())
}
