//! Hands a buffer to a stream although its earlier work may have failed.
#![allow(unused)]

use ascendcl::queue::Unverified;
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Stream};

fn wrong(
    stream: &Stream<'_, '_, Npu<0>>,
    unverified: Unverified<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
) {
    let queued = stream.adopt(unverified); //~ mistake
    //~ instead: let queued = stream.adopt(unverified.accept_unverified());
}
