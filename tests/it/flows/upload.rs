// Uploads two vectors, adds them, and downloads the sum.

use ascendcl::{Acl, Npu, op, stream::Main};

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        let x = stream.malloc_host_from(host, &[1.0_f32, 2.0, 3.0, 4.0])?;
        let y = stream.malloc_host_from(host, &[10.0_f32, 20.0, 30.0, 40.0])?;
        let a = stream.memcpy_async(stream.malloc(4)?, &x)?;
        let b = stream.memcpy_async(stream.malloc(4)?, &y)?;
        let out = stream.malloc(4)?.into_tensor(&[4])?;
        let plan = op::add(current, &a.tensor(&[4])?, &b.tensor(&[4])?, 1.0, out)?;
        let sum = plan.launch(&mut stream)?.into_output();
        let result = stream.memcpy_async(stream.malloc_host(host, 4)?, &sum)?;
        let result = stream.synchronize()?.take(result);
        println!("{:?}", &result[..]);
        Ok(())
    })
}
