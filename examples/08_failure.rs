//! How do I learn that queued work has failed, and what do I do then?
//!
//! `aclrtSynchronizeStream` returns the error once: later waits of the stream return 0. Here, the stream returns no
//! memory as verified after the failure. `drain` waits and returns memory as `Unverified`. To see this on the
//! emulator: `ASCENDCL_EMULATOR_FAULTS=task:aclrtMemcpyAsync=507001 cargo run --example 08_failure`
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use ascendcl::stream::Main;
use ascendcl::{Acl, Error, ErrorKind, Npu};

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        let numbers = stream.malloc_host_from(host, &[1_u32, 2, 3])?;
        let on_device = stream.memcpy_async(stream.malloc(3)?, &numbers)?;
        match stream.synchronize().map_err(Error::into_kind) {
            Ok(idle) => println!("{} numbers are on the device", idle.take(on_device).len()),
            Err(ErrorKind::Wait(failed)) => {
                println!("{} has returned {}", failed.call, failed.code);
                // The copy is over, so its memory can be used again. The copy has not changed its source.
                let numbers = stream.drain()?.take(numbers).accept_unverified();
                println!("to upload again: {:?}", &numbers[..]);
            }
            Err(other) => return Err(other.into()),
        }
        Ok(())
    })
}
