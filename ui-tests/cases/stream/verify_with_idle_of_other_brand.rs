//! Lets a branded stream vouch for work that another one has done.

use ascendcl::event::Order;
use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let mut event = current.create_event::<Order>()?;
    current.with_stream(|mut first| {
        current.with_stream(|mut second| {
            let buf = first.adopt(current.malloc::<u32>(16)?);
            let buf = first.memset_async(buf, 0)?;
            let buf = first.handoff(&mut second, &mut event, buf)?;
            let unverified = second.synchronize()?.take(buf);
            second.synchronize()?.verify(unverified).free()?; //~ mistake
            //~ instead: first.synchronize()?.verify(unverified).free()?;
            second.destroy()
        })?
    })?
}
