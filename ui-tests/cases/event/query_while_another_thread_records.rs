//! Asks on one thread whether an event is complete while another thread records it.

use ascendcl::event::Order;
use ascendcl::{Event, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    event: &mut Event<'_, Npu<0>, Order>,
) -> Result<()> {
    std::thread::scope(|scope| { //~ mistake
        scope.spawn(|| event.query()); //~ mistake
        stream.record(event)?; //~ mistake
        //~ instead: let recorded = stream.record(event)?;
        //~ instead: std::thread::scope(|scope| {
        //~ instead: scope.spawn(|| recorded.query());
        Ok(())
    })
}
