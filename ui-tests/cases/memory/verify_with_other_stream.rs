//! Accepts a buffer that one stream wrote because another stream has succeeded.

use ascendcl::queue::Unverified;
use ascendcl::stream::{Idle, Main};
use ascendcl::{HostBuf, Npu, StreamName};

enum Download {}
impl StreamName for Download {}

fn wrong<'d>(
    main: Idle<'_, (Npu<0>, Main)>,
    down: Idle<'_, (Npu<0>, Download)>,
    from_down: Unverified<'d, (Npu<0>, Download), HostBuf<'d, [u32]>>,
) -> HostBuf<'d, [u32]> {
    main.verify(from_down) //~ mistake
    //~ instead: down.verify(from_down)
}
