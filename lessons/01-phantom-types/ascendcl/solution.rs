//! Lesson 1, second part: device memory is downloaded, then read.

use ascendcl::{Acl, Npu};

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let numbers = current.malloc_host_from(host, &[1_u32, 2, 3])?;
        let on_device = current.memcpy(current.malloc(3)?, &numbers)?;
        let mut back = current.malloc_host::<u32>(host, 3)?;
        current.memcpy(&mut back, &on_device)?;
        println!("{:?}", &back[..]);
        Ok(())
    })
}
