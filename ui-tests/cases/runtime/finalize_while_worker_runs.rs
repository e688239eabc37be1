//! Finalises AscendCL while another thread works with it.

use ascendcl::{Acl, Npu, Result, Thread};

fn work(acl: &Acl) -> Result<()> {
    acl.set_device::<Npu<0>>(&mut Thread::claim()?, 0)?.reset()
}

fn wrong(acl: Acl) -> Result<()> {
    let shared = &acl;
    std::thread::scope(|scope| { //~ mistake
    //~ instead: std::thread::scope(|scope| {
        let worker = scope.spawn(|| work(shared));
        acl.finalize()?; //~ mistake
        worker.join().expect("the worker has not panicked")
    })?;
    //~ instead: acl.finalize()?;
    Ok(())
}
