//! Makes a packed 4:2:2 picture with an odd width.

use ascendcl::media::{Yuyv, V1};
use ascendcl::{Current, Npu, Result};
use typenum::{U224, U225}; //~ mistake
//~ instead: use typenum::{U224, U225};

fn wrong<'d>(media: &V1<'_>, current: Current<'_, 'd, Npu<0>>) -> Result<()> {
    let picture = media.picture_fixed::<Yuyv, U225, U224, _>(current)?; //~ mistake
    //~ instead: let picture = media.picture_fixed::<Yuyv, U224, U225, _>(current)?;
    drop(picture);
    Ok(())
}
