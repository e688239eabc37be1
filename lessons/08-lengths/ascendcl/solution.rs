//! Lesson 8, second part: equal lengths, in the types.

use ascendcl::{Acl, Npu};

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut numbers = current.malloc_host_as::<[u32; 4]>(host)?;
        numbers.copy_from_slice(&[1, 2, 3, 4]);
        let on_device = current.memcpy(current.malloc_as::<[u32; 4]>()?, &numbers)?;
        numbers.fill(0);
        current.memcpy(&mut numbers, &on_device)?;
        println!("{:?}", &numbers[..]);
        Ok(())
    })
}
