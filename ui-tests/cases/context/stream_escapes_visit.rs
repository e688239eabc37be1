//! Keeps a stream behind a visit, when the thread belongs to another library again.

use ascendcl::stream::Main;
use ascendcl::{Device, Npu, Result, Thread};

fn wrong(device: &Device<'_, Npu<0>>) -> Result<()> {
    let stream = Thread::visit(|thread| thread.set_current(device)?.create_stream::<Main>())??; //~ mistake
    stream.destroy() //~ mistake
    //~ instead: Thread::visit(|thread| thread.set_current(device)?.create_stream::<Main>()?.destroy())?
}
