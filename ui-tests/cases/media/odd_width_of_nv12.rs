//! Makes a 4:2:0 picture with an odd width.

use ascendcl::media::{Nv12, V1};
use ascendcl::{Current, Npu, Result};
use typenum::{U224, U225}; //~ mistake
//~ instead: use typenum::U224;

fn wrong<'d>(media: &V1<'_>, current: Current<'_, 'd, Npu<0>>) -> Result<()> {
    let picture = media.picture_fixed::<Nv12, U225, U224, _>(current)?; //~ mistake
    //~ instead: let picture = media.picture_fixed::<Nv12, U224, U224, _>(current)?;
    drop(picture);
    Ok(())
}
