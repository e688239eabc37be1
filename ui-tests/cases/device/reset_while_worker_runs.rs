//! Resets a device while another thread works with it.

use ascendcl::{Device, Npu, Result, Thread};

fn work(device: &Device<'_, Npu<0>>) -> Result<()> {
    Thread::claim()?.set_current(device)?.synchronize_device()
}

fn wrong(device: Device<'_, Npu<0>>) -> Result<()> {
    let shared = &device;
    std::thread::scope(|scope| { //~ mistake
    //~ instead: std::thread::scope(|scope| {
        let worker = scope.spawn(|| work(shared));
        device.reset()?; //~ mistake
        worker.join().expect("the worker has not panicked")
    })?;
    //~ instead: device.reset()?;
    Ok(())
}
