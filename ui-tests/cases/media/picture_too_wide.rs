//! Makes a picture with more columns than the media engine takes.

use ascendcl::media::{Rgb888, V1};
use ascendcl::{Current, Npu, Result};
use typenum::{Sum, U1, U6, U8192}; //~ mistake
//~ instead: use typenum::{U6, U8192};

fn wrong<'d>(media: &V1<'_>, current: Current<'_, 'd, Npu<0>>) -> Result<()> {
    let picture = media.picture_fixed::<Rgb888, Sum<U8192, U1>, U6, _>(current)?; //~ mistake
    //~ instead: let picture = media.picture_fixed::<Rgb888, U8192, U6, _>(current)?;
    drop(picture);
    Ok(())
}
