//! Makes a picture in memory that the media engine cannot use.

use ascendcl::media::{Layout, Rgb888, V1};
use ascendcl::{DeviceBuf, Npu, Result}; //~ mistake
//~ instead: use ascendcl::{DvppBuf, Npu, Result};

type D = Npu<0>;

fn wrong<'d>(
    media: &V1<'_>,
    buf: DeviceBuf<'d, D, [u8]>, //~ mistake
    //~ instead: buf: DvppBuf<'d, D, [u8]>,
    layout: Layout<Rgb888>,
) -> Result<()> {
    let picture = media.picture_in(buf, layout)?;
    drop(picture);
    Ok(())
}
