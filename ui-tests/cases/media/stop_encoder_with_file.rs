//! Stops an encoder whose file was not released.

use std::sync::Arc;

use ascendcl::media::{JpegEncoder, Nv12, Picture, Receiving};
use ascendcl::memory::DvppV2;
use ascendcl::{Current, Npu, Result};

type D = Npu<0>;

fn wrong<'v, 'd>(
    mut encoder: JpegEncoder<'v, 'd, D, Receiving>,
    current: Current<'_, 'd, D>,
    picture: &Arc<Picture<'d, DvppV2<D>, Nv12>>,
) -> Result<()> {
    let file = encoder.encode(current, picture, 90)?;
    encoder.stop()?.destroy()?; //~ mistake
    file.release()?;
    //~ instead: encoder.stop()?.destroy()?;
    Ok(())
}
