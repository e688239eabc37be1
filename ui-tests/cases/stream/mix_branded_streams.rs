//! Queues work on one branded stream that uses memory in the hands of another.

use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    current.with_stream(|mut first| {
        current.with_stream(|mut second| {
            let buf = first.adopt(current.malloc::<u32>(16)?);
            let buf = second.memset_async(buf, 0)?; //~ mistake
            //~ instead: let buf = first.memset_async(buf, 0)?;
            drop(buf);
            first.synchronize()?;
            second.destroy()
        })?
    })?
}
