//! Lesson 2, second part: one direction of the table, and a copy of Rust for the rest.

use ascendcl::{Acl, Npu};

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let from = current.malloc_host_from(host, &[1_u8, 2, 3, 4])?;
        let mut to = current.malloc_host::<u8>(host, 4)?;
        to.copy_from_slice(&from);
        println!("{:?}", &to[..]);
        Ok(())
    })
}
