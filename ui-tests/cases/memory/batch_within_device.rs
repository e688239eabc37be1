//! Copies within a device in a batch.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    on_device: &[DeviceBuf<'dev, Npu<0>, [f32]>],
    on_host: &[HostBuf<'dev, [f32]>],
    copies: &mut [DeviceBuf<'dev, Npu<0>, [f32]>],
) -> Result<()> {
    current.memcpy_batch(copies.iter_mut().zip(on_device))?; //~ mistake
    //~ instead: current.memcpy_batch(copies.iter_mut().zip(on_host))?;
    Ok(())
}
