//! Copies to the device and back in one batch.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    mut on_device: DeviceBuf<'dev, Npu<0>, [f32]>,
    other: DeviceBuf<'dev, Npu<0>, [f32]>,
    source: HostBuf<'dev, [f32]>,
    mut back: HostBuf<'dev, [f32]>,
) -> Result<()> {
    let (up, down) = ((&mut on_device, &source), (&mut back, &other));
    current.memcpy_batch([up, down])?; //~ mistake
    //~ instead: current.memcpy_batch([up])?;
    //~ instead: current.memcpy_batch([down])?;
    Ok(())
}
