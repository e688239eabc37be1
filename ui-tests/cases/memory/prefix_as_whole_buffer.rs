//! Takes the part that was written for the whole buffer.

use ascendcl::memory::{Dev, Writer};
use ascendcl::{DeviceBuf, Npu, Result};

fn wrong<'dev>(
    writer: Writer<'dev, Dev<Npu<0>>, [f32; 16]>,
) -> Result<DeviceBuf<'dev, Npu<0>, [f32; 16]>> {
    let written = writer.finish_prefix()?; //~ mistake
    //~ instead: let written = writer.finish()?;
    Ok(written) //~ mistake
    //~ instead: Ok(written)
}
