//! Lends a buffer that a stream has.
#![allow(unused)]

use ascendcl::stream::Main;
use ascendcl::{Current, HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    queued: Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
) -> Result<()> {
    //~ instead: let host = stream.synchronize()?.take(queued);
    current.scope(|scope| {
        let lease = scope.lend(&queued); //~ mistake
        //~ instead: let lease = scope.lend(&host);
    })
}
