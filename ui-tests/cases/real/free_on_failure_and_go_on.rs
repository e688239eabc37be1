//! Frees host memory after a failed copy and goes on as if nothing had happened.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn save(_: &[u8]) {}

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    mut frame: HostBuf<'_, [u8]>,
    on_device: &DeviceBuf<'_, Npu<0>, [u8]>,
) -> Result<()> {
    if current.memcpy(&mut frame, on_device).is_err() {
        frame.free()?; //~ mistake
        //~ instead: return frame.free();
    }
    save(&frame);
    frame.free()
}
