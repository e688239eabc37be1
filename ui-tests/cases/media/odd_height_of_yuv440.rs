//! Makes a 4:4:0 picture with an odd height.

use ascendcl::media::{Yuv440, V1};
use ascendcl::{Current, Npu, Result};
use typenum::{U224, U225}; //~ mistake
//~ instead: use typenum::{U224, U225};

fn wrong<'d>(media: &V1<'_>, current: Current<'_, 'd, Npu<0>>) -> Result<()> {
    let picture = media.picture_fixed::<Yuv440, U224, U225, _>(current)?; //~ mistake
    //~ instead: let picture = media.picture_fixed::<Yuv440, U225, U224, _>(current)?;
    drop(picture);
    Ok(())
}
