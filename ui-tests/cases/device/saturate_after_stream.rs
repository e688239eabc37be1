//! Chooses the saturation mode after a stream, which keeps the old one.

use ascendcl::settings::FloatOverflowMode;
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let mut device = acl.set_device::<Npu<0>>(thread, 0)?;
    //~ instead: device.set_sat_mode(thread, FloatOverflowMode::Saturation)?;
    let current = thread.set_current(&device)?;
    let stream = current.create_stream::<Main>()?;
    let mut other = Thread::claim()?; //~ mistake
    device.set_sat_mode(&mut other, FloatOverflowMode::Saturation)?; //~ mistake
    stream.destroy()?;
    device.reset()
}
