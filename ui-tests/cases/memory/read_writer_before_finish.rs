//! Copies from a buffer that is still being filled piece by piece.

use ascendcl::{Current, HostBuf, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, on_host: &mut HostBuf<'_, [f32]>) -> Result<()> {
    let mut writer = current.malloc::<f32>(32)?.writer();
    writer.memcpy(current, &*on_host)?;
    writer.memcpy(current, &*on_host)?;
    current.memcpy(on_host, &writer) //~ mistake
    //~ instead: current.memcpy(on_host, writer.finish()?.slice(0..16)?)
}
