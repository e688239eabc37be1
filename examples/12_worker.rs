//! How do I answer requests of several threads with a plan and buffers that are made once?
//!
//! A thread owns the device. What the closure makes are its local variables, so nobody writes their lifetimes. If the device
//! fails, the request gets the error, and the closure runs again on a device that was reset.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use std::sync::Arc;
use std::thread;

use ascendcl::stream::Main;
use ascendcl::worker::{Worker, WorkerOptions};
use ascendcl::{Acl, Npu, Result, op};

fn main() -> Result<()> {
    let (acl, options) = (Arc::new(Acl::from_env()?), WorkerOptions::default());
    let worker = Worker::spawn::<Npu<0>>(acl, 0, options, |current, acl, requests| {
        let mut stream = current.create_stream::<Main>()?;
        let mut numbers = stream.malloc_host_from(acl.host()?, &[0.0; 3])?;
        let mut x = stream.memcpy_async(stream.malloc(3)?, &numbers)?;
        let mut sum = stream.memset_async(stream.malloc::<f32>(3)?, 0)?;
        let tensor = x.tensor(&[3])?;
        let plan = op::add(current, &tensor, &tensor, 1.0, sum.tensor_mut(&[3])?)?;
        let mut plan = plan.repeatable(current)?;
        requests.serve(|request: [f32; 3]| {
            let idle = stream.synchronize()?;
            idle.get_mut(&mut numbers).copy_from_slice(&request);
            stream.memcpy_async(&mut x, &numbers)?;
            let tensor = x.tensor(&[3])?;
            plan.launch(&mut stream, (&tensor, &tensor, sum.tensor_mut(&[3])?))?;
            stream.memcpy_async(&mut numbers, &sum)?;
            Ok(stream.synchronize()?.get_mut(&mut numbers).to_vec())
        })
    });
    let clients = [1.0, 2.0, 3.0, 4.0].map(|number| {
        let client = worker.client();
        thread::spawn(move || client.call([number; 3]))
    });
    for client in clients {
        match client.join() {
            Ok(Ok(sum)) => println!("{sum:?}"),
            failed => println!("no sum: {failed:?}"),
        }
    }
    worker.stop()
}
