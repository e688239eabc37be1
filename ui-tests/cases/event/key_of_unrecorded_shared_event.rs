//! Sends the key of an event that no stream has recorded, so that a wait would be for nothing.

use ascendcl::share::EventKey;
use ascendcl::{Current, Npu, Result, Stream};

fn wrong(current: Current<'_, '_, Npu<0>>, stream: &mut Stream<'_, '_, Npu<0>>) -> Result<EventKey> {
    let mut filled = current.create_shared_event()?;
    let key = filled.key(); //~ mistake
    filled.record(stream)?; //~ mistake
    //~ instead: let key = filled.record(stream)?;
    Ok(key)
}
