//! Makes a picture in the middle of an allocation.

use ascendcl::media::{Layout, Rgb888, V1};
use ascendcl::{DvppBuf, Npu, Result};

type D = Npu<0>;

fn wrong(media: &V1<'_>, buf: DvppBuf<'_, D, [u8]>, layout: Layout<Rgb888>) -> Result<()> {
    let part = buf.slice(1..1000)?; //~ mistake
    let picture = media.picture_in(part, layout)?; //~ mistake
    //~ instead: let picture = media.picture_in(buf, layout)?;
    drop(picture);
    Ok(())
}
