//! Makes a picture with the layout of another format.

use ascendcl::media::{Gray, Picture, Rgb888, V1}; //~ mistake
//~ instead: use ascendcl::media::{Picture, Rgb888, V1};
use ascendcl::{DvppBuf, Npu, Result};

fn wrong(media: &V1<'_>, buf: DvppBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    let layout = media.layout::<Gray>(98, 50)?; //~ mistake
    //~ instead: let layout = media.layout::<Rgb888>(98, 50)?;
    let picture: Picture<'_, _, Rgb888, _> = media.picture_in(buf, layout)?;
    drop(picture);
    Ok(())
}
