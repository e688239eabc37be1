//! Uses a buffer that a writer fills.

use ascendcl::{Current, HostBuf, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, on_host: &HostBuf<'_, [f32]>) -> Result<()> {
    let buf = current.malloc::<f32>(16)?;
    let mut writer = buf.writer();
    writer.memcpy(current, on_host)?;
    buf.free() //~ mistake
    //~ instead: writer.finish()?.free()
}
