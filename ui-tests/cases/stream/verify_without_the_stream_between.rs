//! Lets the first of three streams speak for the second one, too.

use ascendcl::queue::{After, Unverified};
use ascendcl::stream::{Idle, Main};
use ascendcl::{HostBuf, Npu, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong<'d>(
    up: Idle<'_, (Npu<0>, Upload)>,
    main: Idle<'_, (Npu<0>, Main)>,
    unverified: Unverified<'d, (Npu<0>, Main), HostBuf<'d, [u32]>, After<Upload>>,
) -> HostBuf<'d, [u32]> {
    up.verify(unverified) //~ mistake
    //~ instead: up.verify(main.verify(unverified))
}
