//! Encodes a picture on an encoder that does not receive pictures.

use std::sync::Arc;

use ascendcl::media::{JpegEncoder, Nv12, Picture, Stopped};
use ascendcl::memory::DvppV2;
use ascendcl::{Current, Npu, Result};

type D = Npu<0>;

fn wrong<'d>(
    encoder: JpegEncoder<'_, 'd, D, Stopped>,
    current: Current<'_, 'd, D>,
    picture: &Arc<Picture<'d, DvppV2<D>, Nv12>>,
) -> Result<()> {
    let mut encoder = encoder; //~ mistake
    //~ instead: let mut encoder = encoder.start()?;
    let file = encoder.encode(current, picture, 90)?;
    file.release()
}
