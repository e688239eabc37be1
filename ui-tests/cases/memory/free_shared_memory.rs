//! Frees memory that was shared, through one of its shares.

use ascendcl::queue::Shared;
use ascendcl::{DeviceBuf, Npu, Result};

fn wrong(share: Shared<Npu<0>, DeviceBuf<'_, Npu<0>, [f32]>>) -> Result<()> {
    share.free() //~ mistake
    //~ instead: match share.try_unwrap() {
    //~ instead:     Ok(buf) => buf.free(),
    //~ instead:     Err(_still_shared) => Ok(()),
    //~ instead: }
}
