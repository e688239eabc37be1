//! Keeps a second handle of a queued buffer, for when the first one is taken.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued};

fn wrong(queued: Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>) {
    let second = queued.clone(); //~ mistake
    //~ instead: let second = queued;
    drop(second);
}
