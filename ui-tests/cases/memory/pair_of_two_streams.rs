//! Ties buffers of two streams together.
#![allow(unused)]

use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong<'d>(
    main: &Stream<'_, 'd, Npu<0>>,
    on_main: Queued<'d, (Npu<0>, Main), HostBuf<'d, [u32]>>,
    on_up: Queued<'d, (Npu<0>, Upload), HostBuf<'d, [u32]>>,
    idle: HostBuf<'d, [u32]>,
) {
    let pair = on_main.and(on_up); //~ mistake
    //~ instead: let pair = on_main.and(main.adopt(idle));
}
