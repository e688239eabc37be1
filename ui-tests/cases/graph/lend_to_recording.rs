//! Lends a slice of Rust to a recording.

use ascendcl::scope::Scope;
use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong<'s>(
    stream: &mut Stream<'_, '_, Npu<0>>,
    bytes: DeviceBuf<'_, Npu<0>, [u8]>,
    scope: &'s Scope<'s, '_, Npu<0>>,
    numbers: &'s [u8],
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        let lent = recording.adopt(scope.lend(numbers)); //~ mistake
        recording.memcpy_async(&mut bytes, &lent) //~ mistake
        //~ instead: recording.memset_async(&mut bytes, 1)
    })?;
    drop(graph);
    Ok(())
}
