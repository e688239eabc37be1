//! Gives a stream a priority as a bare number, which nobody has looked at.

use ascendcl::stream::{Main, Priority, StreamConfig};
use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, number: u32) -> Result<()> {
    let config = StreamConfig::new().priority(number); //~ mistake
    //~ instead: let config = StreamConfig::new().priority(Priority::try_from(number)?);
    current.create_stream_with::<Main>(config)?.destroy()
}

fn main() {
    let _ = wrong;
    let _ = Priority::LEAST;
}
