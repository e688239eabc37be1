//! Makes a picture with fewer columns than the media engine takes.

use ascendcl::media::{Rgb888, V1};
use ascendcl::{Current, Npu, Result};
use typenum::{U6, U9}; //~ mistake
//~ instead: use typenum::{U6, U10};

fn wrong<'d>(media: &V1<'_>, current: Current<'_, 'd, Npu<0>>) -> Result<()> {
    let picture = media.picture_fixed::<Rgb888, U9, U6, _>(current)?; //~ mistake
    //~ instead: let picture = media.picture_fixed::<Rgb888, U10, U6, _>(current)?;
    drop(picture);
    Ok(())
}
