//! Makes a picture in host memory.

use ascendcl::media::{Layout, Rgb888, V1};
use ascendcl::{HostBuf, Result}; //~ mistake
//~ instead: use ascendcl::{DvppBuf, Npu, Result};

//~ instead: type D = Npu<0>;

fn wrong<'d>(
    media: &V1<'_>,
    buf: HostBuf<'d, [u8]>, //~ mistake
    //~ instead: buf: DvppBuf<'d, D, [u8]>,
    layout: Layout<Rgb888>,
) -> Result<()> {
    let picture = media.picture_in(buf, layout)?;
    drop(picture);
    Ok(())
}
