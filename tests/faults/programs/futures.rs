//! Futures that are asked once, and dropped if their work is not over. A wait for the stream follows.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result};

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        for value in 1..3_u8 {
            let mut numbers = stream.memset_async(stream.malloc::<u8>(64)?, value)?;
            let copy = stream.memcpy_async(stream.malloc_host(host, 64)?, &numbers)?;
            let completed = once(stream.completed(copy)).transpose()?;
            stream.memset_async(&mut numbers, 0)?;
            _ = once(stream.synchronized()).transpose()?;
            let idle = stream.synchronize()?;
            drop(idle.take(numbers));
            drop(completed.map(|copy| idle.verify(copy)));
        }
        stream.destroy()
    })
}

/// The result of a future, if it is ready.
fn once<F: Future>(future: F) -> Option<F::Output> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => Some(result),
        Poll::Pending => None,
    }
}
