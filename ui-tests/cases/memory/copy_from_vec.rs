//! Copies to a device from a `Vec`, which is not page-locked.

use ascendcl::{Current, DeviceBuf, HostSide, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    host: HostSide<'_>,
    on_device: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let numbers = vec![1.0; 16];
    //~ instead: let mut on_host = current.malloc_host(host, numbers.len())?;
    //~ instead: on_host.copy_from_slice(&numbers);
    current.memcpy(on_device, &numbers) //~ mistake
    //~ instead: current.memcpy(on_device, &on_host)
}
