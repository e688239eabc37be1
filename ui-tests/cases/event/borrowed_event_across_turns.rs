//! Keeps fences for the next turn of a loop, which all borrow one event.
#![allow(unused)]

use ascendcl::event::Order;
use ascendcl::{Current, Event, HostBuf, Npu, Result, Stream};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    stream: &mut Stream<'_, 'd, Npu<0>>,
    event: &mut Event<'d, Npu<0>, Order>,
    hosts: Vec<HostBuf<'d, [u32]>>,
) -> Result<()> {
    let mut fences = Vec::new();
    for host in hosts {
        let queued = stream.adopt(host);
        fences.push(stream.fence(&mut *event, queued)?); //~ mistake
        //~ instead: fences.push(stream.fence(current.create_event::<Order>()?, queued)?);
    }
    Ok(())
}
