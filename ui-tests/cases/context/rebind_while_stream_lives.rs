//! Binds the thread to another device while a stream of the first lives.

use ascendcl::stream::Main;
use ascendcl::{Device, Npu, Result, Thread};

fn wrong(thread: &mut Thread, a: &Device<'_, Npu<0>>, b: &Device<'_, Npu<1>>) -> Result<()> {
    let on_a = thread.set_current(a)?.create_stream::<Main>()?;
    thread.set_current(b)?.synchronize_device()?; //~ mistake
    on_a.destroy()?;
    //~ instead: thread.set_current(b)?.synchronize_device()?;
    Ok(())
}
