//! Hands a stream one of several owners of a buffer.
#![allow(unused)]

use std::sync::Arc;

use ascendcl::{HostBuf, Npu, Stream};

fn wrong(stream: &Stream<'_, '_, Npu<0>>, host: HostBuf<'_, [u32]>) {
    let host = Arc::new(host); //~ mistake
    let queued = stream.adopt(Arc::clone(&host)); //~ mistake
    //~ instead: let queued = stream.adopt(host);
}
