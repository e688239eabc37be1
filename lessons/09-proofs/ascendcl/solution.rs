//! Lesson 9, second part: the proof is used before new work is queued.

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu};

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        let first = stream.malloc_host_from(host, &[1_u32, 2, 3])?;
        let on_device = stream.memcpy_async(stream.malloc(3)?, &first)?;

        let idle = stream.synchronize()?;
        let first = idle.take(first);
        let second = stream.memcpy_async(stream.malloc_host(host, 3)?, &on_device)?;
        println!("{:?}", &first[..]);
        println!("{:?}", &stream.synchronize()?.take(second)[..]);
        Ok(())
    })
}
