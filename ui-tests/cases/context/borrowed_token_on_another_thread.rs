//! Lends the token of one thread to another.

use ascendcl::{Device, Npu, Result, Thread};

fn wrong(thread: &mut Thread, device: &Device<'_, Npu<0>>) {
    std::thread::scope(|scope| {
        scope.spawn(move || -> Result<()> { //~ mistake
            thread.set_current(device)?.synchronize_device() //~ mistake
        //~ instead: scope.spawn(move || -> Result<()> {
        //~ instead:     Thread::claim()?.set_current(device)?.synchronize_device()
        });
    });
}
