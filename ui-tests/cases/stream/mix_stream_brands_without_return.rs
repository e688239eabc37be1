//! Mixes two branded streams in a function that never returns, the shape of a service thread.

use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> ! {
    let served = current.with_stream(|mut first| {
        current.with_stream(|mut second| -> Result<()> {
            loop {
                first.synchronize()?;
                let buf = first.adopt(current.malloc::<u32>(16)?);
                drop(second.memset_async(buf, 0)?); //~ mistake
                //~ instead: let other = second.adopt(current.malloc::<u32>(16)?);
                //~ instead: drop(first.memset_async(buf, 0)?);
                //~ instead: drop(second.memset_async(other, 0)?);
            }
        })
    });
    panic!("the service has stopped: {served:?}");
}
