//! Reads memory in the scope in which it is lent to the device for writing.

use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    source: &Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    let mut numbers = vec![0_u32; 16];
    current.scope(|scope| {
        let mut lent = stream.adopt(scope.lend(&mut numbers[..]));
        let copied = stream.memcpy_async(&mut lent, source);
        println!("{}", numbers[0]); //~ mistake
        copied
    })??;
    //~ instead: println!("{}", numbers[0]);
    Ok(())
}
