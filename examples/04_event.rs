//! How does one stream wait for another one?
//!
//! `aclrtCreateEventWithFlag`, `aclrtRecordEvent`, `aclrtStreamWaitEvent`. `handoff` is both: the first stream records the
//! event behind its work, the second stream waits for the event, and the second stream owns the memory from then on. The
//! host does not wait.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use ascendcl::event::Order;
use ascendcl::{Acl, Npu, StreamName, op};

enum Upload {}
impl StreamName for Upload {}

enum Compute {}
impl StreamName for Compute {}

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut upload = current.create_stream::<Upload>()?;
        let mut compute = current.create_stream::<Compute>()?;
        let mut uploaded = current.create_event::<Order>()?;

        let numbers = upload.malloc_host_from(host, &[1, 2, 3])?;
        let a = upload.memcpy_async(upload.malloc::<i32>(3)?, &numbers)?;
        let a = upload.handoff(&mut compute, &mut uploaded, a)?;
        let out = compute.malloc(3)?.into_tensor(&[3])?;
        let plan = op::mul(current, &a.tensor(&[3])?, &a.tensor(&[3])?, out)?;
        let squares = plan.launch(&mut compute)?.into_output();
        let back = compute.memcpy_async(compute.malloc_host(host, 3)?, &squares)?;

        upload.synchronize()?; // proves that the upload has succeeded
        println!("{:?}", &compute.synchronize()?.take(back)[..]);
        Ok(())
    })
}
