//! Reads an element of media memory on the host.

use ascendcl::{Current, DvppBuf, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    picture: &DvppBuf<'_, Npu<0>, [u8]>,
    on_host: &mut HostBuf<'_, [u8]>,
) -> Result<u8> {
    current.memcpy(&mut *on_host, picture)?;
    Ok(picture[0]) //~ mistake
    //~ instead: Ok(on_host[0])
}
