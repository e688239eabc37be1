//! Registered memory: page-locked for copies, mapped for an operator, and an error on the way out.

use std::mem;

use ascendcl::memory::Pages;
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, op};

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    let mut numbers = Pages::<f32>::zeroed(16)?;
    let mut table = Pages::<f32>::zeroed(2048)?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        current.scope(|scope| -> Result<()> {
            let (read, written) = table.split_at_mut(1024);
            let mut numbers = stream.adopt(scope.lend_pinned(current, host, &mut numbers[..])?);
            let read = stream.adopt(scope.lend_mapped(current, host, &*read)?);
            let mut written = stream.adopt(scope.lend_mapped(current, host, written)?);
            let x = stream.memcpy_async(stream.malloc(16)?, &numbers)?;
            stream.memcpy_async(&mut numbers, &x)?;
            stream
                .synchronize()?
                .get_mut(&mut numbers)
                .as_mut_slice()
                .fill(1.0);
            mem::forget(numbers);
            let x = read.tensor(&[1024])?;
            op::add(current, &x, &x, 1.0, written.tensor_mut(&[1024])?)?
                .launch(&mut stream)?
                .into_output();
            Ok(())
        })??;
        Ok(())
    })
}
