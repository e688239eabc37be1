//! Lesson 9, second part: work that is queued after the wait.

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
        // Your task: the order of the next two lines.
        let second = stream.memcpy_async(stream.malloc_host(host, 3)?, &on_device)?;
        let first = idle.take(first);
        println!("{:?}", &first[..]);
        println!("{:?}", &stream.synchronize()?.take(second)[..]);
        Ok(())
    })
}
