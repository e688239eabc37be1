//! How do two streams hand a buffer back and forth without the host?
//!
//! `aclrtCreateNotify`, `aclrtRecordNotify`, `aclrtWaitAndResetNotify`. Each direction has a notify, whose type names the
//! stream that waits for it. A signal carries the buffer, and the notify of the other direction.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use ascendcl::{Acl, Npu, StreamName, op};

enum Add {}
impl StreamName for Add {}

enum Double {}
impl StreamName for Double {}

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut add = current.create_stream::<Add>()?;
        let mut double = current.create_stream::<Double>()?;
        let mut there = add.adopt(current.create_notify(&double)?);
        let mut back = add.adopt(current.create_notify(&add)?);
        let mut buffer = add.memset_async(add.malloc::<i32>(3)?, 0)?;
        for _ in 0..4 {
            let numbers = buffer.tensor_mut(&[3])?;
            op::inplace_adds(current, numbers, 1, 1)?
                .launch(&mut add)?
                .into_output();
            let signal = add.record_notify(there, buffer.and(back))?;

            let (both, used) = double.wait_notify(signal)?;
            let (mut lent, to_add) = both.accept_unverified().split();
            let numbers = lent.tensor_mut(&[3])?;
            op::inplace_muls(current, numbers, 2)?
                .launch(&mut double)?
                .into_output();
            let signal = double.record_notify(to_add, lent.and(used))?;

            let (both, used) = add.wait_notify(signal)?;
            (buffer, there) = both.accept_unverified().split();
            back = used;
        }
        let numbers = add.memcpy_async(add.malloc_host(host, 3)?, &buffer)?;
        double.synchronize()?; // proves that its work has succeeded
        println!("{:?}", &add.synchronize()?.take(numbers)[..]);
        Ok(())
    })
}
