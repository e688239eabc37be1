//! Lesson 5, second part: two bindings of one thread.

use ascendcl::{Acl, Npu, Thread};

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let mut thread = Thread::claim()?;
    let zero = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    let one = acl.set_device::<Npu<1>>(&mut thread, 1)?;

    let on_zero = thread.set_current(&zero)?;
    let on_one = thread.set_current(&one)?;
    let a = on_zero.malloc::<u8>(16)?; // Your task: the thread is bound to the other device here.
    let b = on_one.malloc::<u8>(16)?;
    println!("{} {}", a.len(), b.len());
    Ok(())
}
