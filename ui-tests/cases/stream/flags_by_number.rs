//! Combines flags of streams that the runtime refuses together.

use ascendcl::stream::{Main, StreamConfig, StreamFlags};
use ascendcl::{Current, Npu, Result, sys};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let flags = sys::ACL_STREAM_PERSISTENT | sys::ACL_STREAM_HUGE; //~ mistake
    //~ instead: let flags = StreamFlags::FastLaunchAndSync;
    let config = StreamConfig::new().flags(flags);
    current.create_stream_with::<Main>(config)?.destroy()
}

fn main() {
    let _ = wrong;
    let _ = (StreamFlags::Huge, sys::ACL_STREAM_HUGE);
}
