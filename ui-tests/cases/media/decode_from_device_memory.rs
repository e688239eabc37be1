//! Puts a file for the decoder into memory that the media engine cannot use.

use ascendcl::media::V1;
use ascendcl::{Current, DeviceBuf, Npu, Result}; //~ mistake
//~ instead: use ascendcl::{Current, DvppBuf, Npu, Result};

type D = Npu<0>;

fn wrong<'d>(
    media: &V1<'_>,
    current: Current<'_, 'd, D>,
    buf: DeviceBuf<'d, D, [u8]>, //~ mistake
    //~ instead: buf: DvppBuf<'d, D, [u8]>,
) -> Result<()> {
    let file = media.jpeg_in(current, buf, b"a picture")?;
    drop(file);
    Ok(())
}
