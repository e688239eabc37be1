//! Accepts a buffer because a stream of the same name on another device has succeeded.

use ascendcl::queue::Unverified;
use ascendcl::stream::{Idle, Main};
use ascendcl::{HostBuf, Npu};

fn wrong<'d>(
    on_0: Idle<'_, (Npu<0>, Main)>,
    on_1: Idle<'_, (Npu<1>, Main)>,
    from_1: Unverified<'d, (Npu<1>, Main), HostBuf<'d, [u32]>>,
) -> HostBuf<'d, [u32]> {
    on_0.verify(from_1) //~ mistake
    //~ instead: on_1.verify(from_1)
}
