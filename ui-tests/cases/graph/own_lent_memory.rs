//! Gives a graph memory that a scope lends.
#![allow(unused)]

use ascendcl::scope::Scope;
use ascendcl::{HostSide, Npu, Result, Stream};

fn wrong<'s>(
    stream: &mut Stream<'_, '_, Npu<0>>,
    scope: &'s Scope<'s, '_, Npu<0>>,
    numbers: &'s mut [u8],
    host: HostSide,
) -> Result<()> {
    drop(stream.capture(scope.lend(numbers), |_, _| Ok(()))?); //~ mistake
    //~ instead: let copy = stream.malloc_host_from(host, numbers)?;
    //~ instead: let copy = stream.synchronize()?.take(copy);
    //~ instead: drop(stream.capture(copy, |_, _| Ok(()))?);
    Ok(())
}
