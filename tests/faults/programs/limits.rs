//! Work under a limit, as a supervisor does it: what fails or hangs is tried once more.

#![expect(
    clippy::print_stderr,
    reason = "the first failure is reported although the program goes on"
)]

use std::time::Duration;

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{Acl, HostSide, Npu, Result, StreamName, op};

enum Second {}
impl StreamName for Second {}

/// Longer than an abort takes on a busy machine.
const LIMIT: Duration = Duration::from_secs(60);

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    attempt(&acl, host).or_else(|error| {
        eprintln!("the first attempt: {error}");
        attempt(&acl, host)
    })
}

fn attempt(acl: &Acl, host: HostSide<'_>) -> Result<()> {
    acl.on_within::<Npu<0>, _>(0, LIMIT, |current| {
        let mut first = current.create_stream::<Main>()?;
        let mut second = current.create_stream::<Second>()?;
        let mut order = current.create_event::<Order>()?;

        let x = first.memset_async(first.malloc::<f32>(4)?, 0)?;
        let out = first.malloc::<f32>(4)?.into_tensor(&[4])?;
        let sum = op::add(current, &x.tensor(&[4])?, &x.tensor(&[4])?, 1.0, out)?;
        let sum = sum.launch(&mut first)?.into_output();
        // The other stream waits for the operator, and the host for that stream.
        let sum = first.handoff(&mut second, &mut order, sum)?;
        let back = second.malloc_host::<f32>(host, 4)?;
        let back = second.memcpy_async(back, &sum)?;
        drop(second.synchronize_within(LIMIT)?.take(back));
        drop((x, sum));
        first.synchronize_within(LIMIT)?;

        // A drop reports a failure to the hook, and the next attempt goes on.
        drop(order);
        second.destroy()?;
        first.destroy()
    })
}
