//! How do several streams read one buffer at a time?
//!
//! `aclrtRecordEvent`, `aclrtStreamWaitEvent`. Each stream that reads a shared buffer has a share of its own, and nothing
//! writes the buffer. When all other shares are dropped, the last one becomes the buffer again.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use ascendcl::event::Order;
use ascendcl::{Acl, Npu, StreamName};

enum First {}
impl StreamName for First {}

enum Second {}
impl StreamName for Second {}

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut first = current.create_stream::<First>()?;
        let mut second = current.create_stream::<Second>()?;
        let weights = first.malloc_host_from(host, &[1_u32, 2, 3])?;
        let weights = first.memcpy_async(first.malloc(3)?, &weights)?.share();

        // The second stream waits on the device until the weights are there; the host does not wait.
        let fence = first.fence(current.create_event::<Order>()?, weights)?;
        let for_second = second.wait_shared(&fence)?;
        let (for_first, _event) = fence.cancel();
        let one = first.memcpy_async(first.malloc_host(host, 3)?, &for_first)?;
        let two = second.memcpy_async(second.malloc_host(host, 3)?, &for_second)?;

        let idle = first.synchronize()?;
        let (weights, one) = (idle.take(for_first), idle.take(one));
        let idle = second.synchronize()?;
        drop(idle.take(for_second));
        println!("{:?} {:?}", &one[..], &idle.take(two)[..]);
        match weights.try_unwrap() {
            Ok(weights) => weights.free(), // no stream reads it any more
            Err(_) => unreachable!("both readers are done"),
        }
    })
}
