//! How do I copy in both directions at once?
//!
//! `aclrtCreateStream` twice, `aclrtMemcpyAsync`, `aclrtSynchronizeStream`. The work of one stream runs in order. The
//! work of two streams runs side by side. A stream owns the memory of its work until a wait returns it.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use ascendcl::{Acl, Npu, StreamName};

enum Upload {}
impl StreamName for Upload {}

enum Download {}
impl StreamName for Download {}

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut upload = current.create_stream::<Upload>()?;
        let mut download = current.create_stream::<Download>()?;
        let results = current.memset(current.malloc::<u8>(4)?, 7)?; // of an earlier batch

        // Neither call waits, and neither copy waits for the other.
        let batch = upload.malloc_host_from(host, &[1_u8, 2, 3, 4])?;
        let batch = upload.memcpy_async(upload.malloc(4)?, &batch)?;
        let results = download.adopt(results);
        let back = download.memcpy_async(download.malloc_host(host, 4)?, &results)?;

        println!("results: {:?}", &download.synchronize()?.take(back)[..]);
        let batch = upload.synchronize()?.take(batch);
        println!("{} numbers wait on the device", batch.len());
        Ok(())
    })
}
