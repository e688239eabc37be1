//! Asks for a priority that streams do not have: the runtime would silently take another.

use ascendcl::stream::{Main, Priority, StreamConfig};
use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let priority = Priority::of::<8>(); //~ mistake
    //~ instead: let priority = Priority::of::<7>();
    let config = StreamConfig::new().priority(priority);
    current.create_stream_with::<Main>(config)?.destroy()
}
