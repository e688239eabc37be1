//! Writes fresh memory on another stream than the one that it was handed to.

use ascendcl::{Current, HostBuf, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    main: &mut Stream<'_, '_, Npu<0>>,
    up: &mut Stream<'_, '_, Npu<0>, Upload>,
    source: &Queued<'_, (Npu<0>, Upload), HostBuf<'_, [u32]>>,
) -> Result<()> {
    let target = main.adopt(current.malloc::<u32>(16)?); //~ mistake
    //~ instead: let target = up.adopt(current.malloc::<u32>(16)?);
    drop(up.memcpy_async(target, source)?); //~ mistake
    //~ instead: drop(up.memcpy_async(target, source)?);
    Ok(())
}
