//! Events: fences, records, hand-overs, shares, and waits with a limit.

use std::time::Duration;

use ascendcl::event::{Order, OrderTiming, Progress};
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, StreamName};

enum Second {}
impl StreamName for Second {}

/// No wait of this program reaches this limit.
const LONG: Duration = Duration::from_secs(100);

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut first = current.create_stream::<Main>()?;
        let mut second = current.create_stream::<Second>()?;

        // The host waits for an event.
        let fresh = first.malloc::<u32>(16)?;
        let filled = first.memset_async(fresh, 1)?;
        let fence = first.fence(current.create_event::<Progress>()?, filled)?;
        let (filled, event) = fence.synchronize()?;
        let idle = first.synchronize_within(LONG)?;
        let filled = idle.verify(filled);
        event.destroy()?;

        // Times of two records.
        let mut start = current.create_event::<OrderTiming>()?;
        let mut end = current.create_event::<OrderTiming>()?;
        first.record(&mut start)?;
        let filled = first.adopt(filled);
        let back = first.malloc_host(host, 16)?;
        let back = first.memcpy_async(back, &filled)?;
        first.record(&mut end)?;
        first.query()?;
        drop(first.synchronize()?.take(back));

        // The memory changes streams and comes back.
        let mut order = current.create_event::<Order>()?;
        let moved = first.handoff(&mut second, &mut order, filled)?;
        let share = moved.share();
        let fence = second.fence(current.create_event::<Order>()?, share)?;
        let on_first = first.wait_shared(&fence)?;
        let (on_second, _event) = fence.cancel();
        let seen = first.malloc_host::<u32>(host, 16)?;
        let seen = first.memcpy_async(seen, &on_first)?;
        drop((on_first, on_second));
        drop(first.synchronize()?.take(seen));
        second.drain()?;
        order.destroy()?;
        second.destroy()?;
        first.destroy()
    })
}
