//! Takes a buffer back from one stream because another one was drained.

use ascendcl::stream::{Drained, Main};
use ascendcl::{HostBuf, Npu, Queued, StreamName};

enum Download {}
impl StreamName for Download {}

fn wrong<'d>(
    main: Drained<'_, (Npu<0>, Main)>,
    down: Drained<'_, (Npu<0>, Download)>,
    on_down: Queued<'_, (Npu<0>, Download), HostBuf<'d, [u32]>>,
) -> HostBuf<'d, [u32]> {
    main.take(on_down).accept_unverified() //~ mistake
    //~ instead: down.take(on_down).accept_unverified()
}
