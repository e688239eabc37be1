//! Takes memory back from one branded stream because another one is idle.

use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    current.with_stream(|mut first| {
        current.with_stream(|mut second| {
            let buf = first.adopt(current.malloc::<u32>(16)?);
            let buf = first.memset_async(buf, 0)?;
            let idle = second.synchronize()?; //~ mistake
            //~ instead: let idle = first.synchronize()?;
            idle.take(buf).free()?;
            second.destroy()
        })?
    })?
}
