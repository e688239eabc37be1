//! Asks for the overflow status in memory of 8 bytes, of which AscendCL writes 64.

use ascendcl::{Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>) -> Result<()> {
    let status = stream.malloc_as::<[u8; 8]>()?; //~ mistake
    //~ instead: let status = stream.malloc_as::<[u8; 64]>()?;
    let status = stream.overflow_status(status)?;
    stream.synchronize()?.take(status).free()
}
