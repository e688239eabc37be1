//! Asks the PNG decoder for a format that it does not write.

use ascendcl::media::{Nv12, PngInfo, V1}; //~ mistake
//~ instead: use ascendcl::media::{PngInfo, Rgb888, V1};
use ascendcl::{Current, Npu, Result};

fn wrong<'d>(media: &V1<'_>, current: Current<'_, 'd, Npu<0>>, info: &PngInfo) -> Result<()> {
    let picture = media.picture_for_png::<Nv12, _>(current, info)?; //~ mistake
    //~ instead: let picture = media.picture_for_png::<Rgb888, _>(current, info)?;
    drop(picture);
    Ok(())
}
