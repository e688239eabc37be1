//! Makes a device current inside of a host function, where the runtime allows no call.

use ascendcl::{Device, Npu, Result, Stream, Thread};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    mut thread: Thread,
    device: &'static Device<'static, Npu<1>>,
) -> Result<()> {
    stream.launch_host_func(move || drop(thread.set_current(device)))?; //~ mistake
    //~ instead: stream.launch_host_func(|| {})?;
    //~ instead: drop(thread.set_current(device));
    Ok(())
}
