//! Gives a buffer to a thread that may still run when the device is reset.

use ascendcl::{DeviceBuf, Npu};

fn wrong(buf: DeviceBuf<'_, Npu<0>, [f32]>) {
    std::thread::spawn(move || drop(buf)); //~ mistake
    //~ instead: std::thread::scope(|scope| {
    //~ instead:     scope.spawn(move || drop(buf));
    //~ instead: });
}
