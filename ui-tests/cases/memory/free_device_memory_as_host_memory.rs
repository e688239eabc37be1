//! Passes device memory to a function that frees host memory.

use ascendcl::{DeviceBuf, HostBuf, Npu, Result};

fn release(frame: HostBuf<'_, [u8]>) -> Result<()> {
    frame.free()
}

fn wrong(on_host: HostBuf<'_, [u8]>, on_device: DeviceBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    release(on_device)?; //~ mistake
    //~ instead: on_device.free()?;
    release(on_host)
}
