//! Accepts what a drained stream gives back as if its work had succeeded.

use ascendcl::stream::{Drained, Main};
use ascendcl::{HostBuf, Npu, Queued};

fn wrong(
    drained: Drained<'_, (Npu<0>, Main)>,
    queued: Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
) -> u32 {
    drained.take(queued)[0] //~ mistake
    //~ instead: drained.take(queued).accept_unverified()[0]
}
