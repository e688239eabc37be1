//! Copies from a device to a `Vec`, which is not page-locked.

use ascendcl::{Current, DeviceBuf, HostSide, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    host: HostSide<'_>,
    on_device: &DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<Vec<f32>> {
    let mut numbers = vec![0.0; on_device.len()]; //~ mistake
    //~ instead: let mut numbers = current.malloc_host(host, on_device.len())?;
    current.memcpy(&mut numbers, on_device)?; //~ mistake
    //~ instead: current.memcpy(&mut numbers, on_device)?;
    Ok(numbers.to_vec())
}
