//! Uses the binding of one thread on another.
#![allow(unused)]

use ascendcl::{Current, Device, Npu, Result, Thread};

fn wrong(current: Current<'_, '_, Npu<0>>, device: &Device<'_, Npu<0>>) {
    std::thread::scope(|scope| {
        scope.spawn(move || current.synchronize_device()); //~ mistake
        //~ instead: scope.spawn(move || -> Result<()> {
        //~ instead:     Thread::claim()?.set_current(device)?.synchronize_device()
        //~ instead: });
    });
}
