//! Hands an array on the stack to a stream.
#![allow(unused)]

use ascendcl::{Current, HostSide, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    side: HostSide<'_>,
    stream: &mut Stream<'_, '_, Npu<0>>,
) -> Result<()> {
    let numbers = [1_u32, 2, 3];
    let queued = stream.adopt(numbers); //~ mistake
    //~ instead: let mut host = current.malloc_host_as::<[u32; 3]>(side)?;
    //~ instead: host.copy_from_slice(&numbers);
    //~ instead: let queued = stream.adopt(host);
    Ok(())
}
