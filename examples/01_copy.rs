//! How do I copy numbers to a device and back?
//!
//! `aclrtMallocHost`, `aclrtMalloc`, `aclrtMemcpy`, `aclrtFree`, `aclrtFreeHost`. The types of the operands give the
//! direction of a copy. The destination comes first, as in C. Fresh device memory is passed by value and returned
//! initialised. Memory that has been written is passed by `&mut`.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use ascendcl::{Acl, Npu};

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let numbers = current.malloc_host_from(host, &[1.5_f32, 2.5, 3.5])?;
        let on_device = current.memcpy(current.malloc(3)?, &numbers)?;
        let mut back = current.malloc_host::<f32>(host, 3)?;
        current.memcpy(&mut back, &on_device)?;
        println!("{:?}", &back[..]);
        Ok(())
    })
}
