//! Takes a queued buffer back without a proof that its work is over.
#![allow(unused)]

use ascendcl::queue::Unverified;
use ascendcl::stream::{Drained, Main};
use ascendcl::{HostBuf, Npu, Queued};

type Download<'d> = Queued<'d, (Npu<0>, Main), HostBuf<'d, [u32]>>;

fn wrong<'d>(
    drained: Drained<'_, (Npu<0>, Main)>,
    queued: Download<'d>,
) -> Unverified<'d, (Npu<0>, Main), HostBuf<'d, [u32]>> {
    Unverified {} //~ mistake
    //~ instead: drained.take(queued)
}
