// Doubles the numbers of four threads on one device.
//~ see: src/worker/mod.rs

use std::sync::Mutex;
use std::thread;

use ascendcl::{Acl, Npu, op, stream::Main};

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let stream = current.create_stream::<Main>()?;
        let device = Mutex::new((current, stream));
        let double = |numbers: [f32; 3]| {
            let (current, stream) = &mut *device.lock().unwrap();
            let x = stream.malloc_host_from(host, &numbers)?;
            let x = stream.memcpy_async(stream.malloc(3)?, &x)?;
            let (x, out) = (x.tensor(&[3])?, stream.malloc(3)?.into_tensor(&[3])?);
            let sum = op::add(*current, &x, &x, 1.0, out)?
                .launch(stream)?
                .into_output();
            let result = stream.memcpy_async(stream.malloc_host(host, 3)?, &sum)?;
            ascendcl::Result::Ok(stream.synchronize()?.take(result).to_vec())
        };
        thread::scope(|scope| {
            for number in [1.0, 2.0, 3.0, 4.0] {
                scope.spawn(move || println!("{:?}", double([number; 3])));
            }
        });
        Ok(())
    })
}
