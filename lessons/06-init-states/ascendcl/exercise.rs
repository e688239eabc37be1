//! Lesson 6, second part: fresh memory as a source.

use ascendcl::{Acl, Npu};

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let memory = current.malloc::<u8>(4)?;
        // Your task: fill the memory with 7.
        let mut back = current.malloc_host::<u8>(host, 4)?;
        current.memcpy(&mut back, &memory)?;
        println!("{:?}", &back[..]);
        Ok(())
    })
}
