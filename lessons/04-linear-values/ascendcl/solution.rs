//! Lesson 4, second part: the memory is read after the wait that returned it.

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu};

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        let numbers = current.malloc_host_from(host, &[1_u32, 2, 3])?;
        let queued = stream.adopt(numbers);
        let on_device = stream.memcpy_async(stream.malloc(3)?, &queued)?;
        let idle = stream.synchronize()?;
        let numbers = idle.take(queued);
        println!("{:?}", &numbers[..]);
        idle.take(on_device).free()
    })
}
