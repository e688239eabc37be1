//! Asks the JPEG decoder for a format that it does not write.

use ascendcl::media::{JpegInfo, Rgb888, V1}; //~ mistake
//~ instead: use ascendcl::media::{JpegInfo, Nv12, V1};
use ascendcl::{Current, Npu, Result};

fn wrong<'d>(media: &V1<'_>, current: Current<'_, 'd, Npu<0>>, info: &JpegInfo) -> Result<()> {
    let picture = media.picture_for_jpeg::<Rgb888, _>(current, info)?; //~ mistake
    //~ instead: let picture = media.picture_for_jpeg::<Nv12, _>(current, info)?;
    drop(picture);
    Ok(())
}
