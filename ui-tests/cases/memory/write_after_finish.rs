//! Writes through a writer that was finished.

use ascendcl::memory::{Dev, Writer};
use ascendcl::{Current, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    mut writer: Writer<'_, Dev<Npu<0>>, [f32]>,
    on_host: &HostBuf<'_, [f32]>,
) -> Result<()> {
    writer.finish()?; //~ mistake
    writer.memcpy(current, on_host)?; //~ mistake
    //~ instead: writer.memcpy(current, on_host)?;
    //~ instead: writer.finish()?;
    Ok(())
}
