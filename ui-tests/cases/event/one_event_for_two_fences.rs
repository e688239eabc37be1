//! Lends one event to two fences at the same time.
#![allow(unused)]

use ascendcl::event::Order;
use ascendcl::{Event, HostBuf, Npu, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    event: &mut Event<'d, Npu<0>, Order>,
    second_event: &mut Event<'d, Npu<0>, Order>,
    hosts: (HostBuf<'d, [u32]>, HostBuf<'d, [u32]>),
) -> Result<()> {
    let first = stream.fence(&mut *event, stream.adopt(hosts.0))?;
    let second = stream.fence(&mut *event, stream.adopt(hosts.1))?; //~ mistake
    //~ instead: let second = stream.fence(second_event, stream.adopt(hosts.1))?;
    drop(first.synchronize()?);
    drop(second.synchronize()?);
    Ok(())
}
