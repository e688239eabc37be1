//! Returns a stream from the function that owns the thread's token.
#![allow(unused)]

use ascendcl::{Device, Npu, Result, Stream, Thread};

fn wrong<'c>(token: &'c mut Thread, device: &'c Device<'_, Npu<0>>) -> Result<Stream<'c, 'c, Npu<0>>> {
    let mut thread = Thread::claim()?; //~ mistake
    thread.set_current(device)?.create_stream() //~ mistake
    //~ instead: token.set_current(device)?.create_stream()
}
