//! Uses a buffer that was given to a copy, instead of the written one that came back.

use ascendcl::{Current, HostBuf, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, on_host: &HostBuf<'_, [f32]>) -> Result<()> {
    let buf = current.malloc::<f32>(16)?;
    current.memcpy(buf, on_host)?; //~ mistake
    //~ instead: let buf = current.memcpy(buf, on_host)?;
    buf.free() //~ mistake
    //~ instead: buf.free()
}
