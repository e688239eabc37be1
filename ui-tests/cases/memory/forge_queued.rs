//! Makes a queued buffer without a stream.
#![allow(unused)]

use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Stream};

fn wrong<'d>(
    stream: &Stream<'_, 'd, Npu<0>>,
    host: HostBuf<'d, [u32]>,
) -> Queued<'d, (Npu<0>, Main), HostBuf<'d, [u32]>> {
    Queued {} //~ mistake
    //~ instead: stream.adopt(host)
}
