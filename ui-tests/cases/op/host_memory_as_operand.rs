//! Uses host memory as an operand.

use ascendcl::{Current, HostBuf, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, on_host: &HostBuf<'_, [f32]>) -> Result<()> {
    //~ instead: let on_device = current.memcpy(current.malloc(on_host.len())?, on_host)?;
    let a = on_host.tensor(&[16])?; //~ mistake
    //~ instead: let a = on_device.tensor(&[16])?;
    println!("{a:?}");
    Ok(())
}
