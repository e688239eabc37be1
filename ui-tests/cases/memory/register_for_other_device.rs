//! Maps memory for the current device, and lends the address to another one.

use ascendcl::scope::Scope;
use ascendcl::{Current, HostSide, Npu, Result};

fn wrong<'scope>(
    (on_0, on_1): (Current<'_, '_, Npu<0>>, Current<'_, '_, Npu<1>>),
    host: HostSide<'_>,
    scope: &'scope Scope<'scope, '_, Npu<0>>,
    numbers: &'scope [f32],
) -> Result<()> {
    scope.lend_mapped(on_1, host, numbers)?; //~ mistake
    //~ instead: scope.lend_mapped(on_0, host, numbers)?;
    Ok(())
}
