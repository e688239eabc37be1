//! Hands a slice of Rust to a stream.
#![allow(unused)]

use ascendcl::{Current, HostSide, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    side: HostSide<'_>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    numbers: &[u32],
) -> Result<()> {
    let queued = stream.adopt(numbers); //~ mistake
    //~ instead: let mut host = current.malloc_host::<u32>(side, numbers.len())?;
    //~ instead: host.copy_from_slice(numbers);
    //~ instead: let queued = stream.adopt(host);
    Ok(())
}
