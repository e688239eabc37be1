//! Copies numbers of one type into a buffer of another.

use ascendcl::{Current, HostBuf, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, on_host: &HostBuf<'_, [f32]>) -> Result<()> {
    let on_device = current.malloc::<i32>(on_host.len())?; //~ mistake
    //~ instead: let on_device = current.malloc::<f32>(on_host.len())?;
    current.memcpy(on_device, on_host)?; //~ mistake
    //~ instead: current.memcpy(on_device, on_host)?;
    Ok(())
}
