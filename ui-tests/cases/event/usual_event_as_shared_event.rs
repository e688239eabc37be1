//! Sends an event of one process to another one.

use ascendcl::event::Order;
use ascendcl::share::EventKey;
use ascendcl::{Current, Npu, Result, Stream};

fn wrong(current: Current<'_, '_, Npu<0>>, stream: &mut Stream<'_, '_, Npu<0>>) -> Result<EventKey> {
    let mut filled = current.create_event::<Order>()?; //~ mistake
    stream.record(&mut filled) //~ mistake
    //~ instead: let mut filled = current.create_shared_event()?;
    //~ instead: filled.record(stream)
}
