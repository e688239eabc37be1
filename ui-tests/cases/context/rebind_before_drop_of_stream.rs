//! Binds the thread to another device although a stream of the first is destroyed after that.

use ascendcl::stream::Main;
use ascendcl::{Device, Npu, Result, Stream, Thread};

fn run(_: &Stream<'_, '_, Npu<0>>) {}

fn wrong(thread: &mut Thread, a: &Device<'_, Npu<0>>, b: &Device<'_, Npu<1>>) -> Result<()> {
    let on_a = thread.set_current(a)?.create_stream::<Main>()?;
    run(&on_a);
    //~ instead: drop(on_a);
    thread.set_current(b)?.synchronize_device() //~ mistake
    //~ instead: thread.set_current(b)?.synchronize_device()
}
