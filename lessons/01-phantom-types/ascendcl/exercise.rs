//! Lesson 1, second part: device memory cannot be read on the host.

use ascendcl::{Acl, Npu};

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let numbers = current.malloc_host_from(host, &[1_u32, 2, 3])?;
        let on_device = current.memcpy(current.malloc(3)?, &numbers)?;
        // Your task: copy the numbers back to host memory, and print that memory.
        println!("{:?}", &on_device[..]);
        Ok(())
    })
}
