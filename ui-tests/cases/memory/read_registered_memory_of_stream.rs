//! Reads registered memory that a stream has, and that its work may still write.

use ascendcl::scope::Scope;
use ascendcl::{Current, HostSide, Npu, Result, Stream};

fn wrong<'scope>(
    current: Current<'_, '_, Npu<0>>,
    host: HostSide<'_>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    scope: &'scope Scope<'scope, '_, Npu<0>>,
    numbers: &'scope mut [f32],
) -> Result<()> {
    let mut lent = stream.adopt(scope.lend_pinned(current, host, numbers)?);
    let zeros = stream.memset_async(stream.malloc::<f32>(16)?, 0)?;
    stream.memcpy_async(&mut lent, &zeros)?;
    //~ instead: let lent = stream.synchronize()?.take(lent);
    println!("{:?}", lent.as_slice()); //~ mistake
    //~ instead: println!("{:?}", lent.as_slice());
    Ok(())
}
