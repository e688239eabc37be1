// Doubles the numbers of four threads on one device.

use std::sync::Arc;
use std::thread;

use ascendcl::worker::{Worker, WorkerOptions};
use ascendcl::{Acl, Npu, op, stream::Main};

fn main() -> ascendcl::Result<()> {
    let acl = Arc::new(Acl::from_env()?);
    let worker = Worker::spawn::<Npu<0>>(
        acl,
        0,
        WorkerOptions::default(),
        |current, acl, requests| {
            let host = acl.host()?;
            let mut stream = current.create_stream::<Main>()?;
            requests.serve(|numbers: [f32; 3]| {
                let x = stream.malloc_host_from(host, &numbers)?;
                let x = stream.memcpy_async(stream.malloc(3)?, &x)?;
                let (x, out) = (x.tensor(&[3])?, stream.malloc(3)?.into_tensor(&[3])?);
                let sum = op::add(current, &x, &x, 1.0, out)?
                    .launch(&mut stream)?
                    .into_output();
                let result = stream.memcpy_async(stream.malloc_host(host, 3)?, &sum)?;
                Ok(stream.synchronize()?.take(result).to_vec())
            })
        },
    );
    thread::scope(|scope| {
        for number in [1.0, 2.0, 3.0, 4.0] {
            let client = worker.client();
            scope.spawn(move || println!("{:?}", client.call([number; 3])));
        }
    });
    worker.stop()
}
