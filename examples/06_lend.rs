//! How do queued copies read and write a `Vec` of mine?
//!
//! `aclrtMemcpyAsync` with memory of the program, `aclrtSynchronizeDevice`. Queued memory belongs to its stream. A
//! scope lends memory to a stream, and the program keeps it: the scope waits for the device before it returns, even
//! if its closure fails. In CANN the call that copies a `Vec` waits. Memory of `malloc_host` can be lent too, and its
//! copies do not wait.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result};

fn main() -> Result<()> {
    let numbers = vec![1_u32, 2, 3, 4];
    let mut copies = vec![0_u32; 4];
    let acl = Acl::from_env()?;
    acl.host()?; // a program on the device itself has no host memory to copy from
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        current.scope(|scope| -> Result<()> {
            let from = stream.adopt(scope.lend(&numbers[..]));
            let mut to = stream.adopt(scope.lend(&mut copies[..]));
            let on_device = stream.memcpy_async(stream.malloc(4)?, &from)?;
            stream.memcpy_async(&mut to, &on_device)
        })??;
        Ok(())
    })?;
    println!("{numbers:?} {copies:?}");
    Ok(())
}
