//! Hands a buffer to a stream although its earlier work may have failed.
#![allow(unused)]

use ascendcl::queue::Completed;
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Stream};

fn wrong(
    stream: &Stream<'_, '_, Npu<0>>,
    completed: Completed<'_, (Npu<0>, Main), HostBuf<'_, u32>>,
) {
    let queued = stream.adopt(completed); //~ mistake
    //~ instead: let queued = stream.adopt(completed.into_unverified());
}

fn main() {
    let _ = wrong;
}
