//! Encodes a picture while the file of an earlier one was not released.

use std::sync::Arc;

use ascendcl::media::{JpegEncoder, Nv12, Picture, Receiving};
use ascendcl::memory::DvppV2;
use ascendcl::{Current, Npu, Result};

type D = Npu<0>;

fn wrong<'d>(
    encoder: &mut JpegEncoder<'_, 'd, D, Receiving>,
    current: Current<'_, 'd, D>,
    picture: &Arc<Picture<'d, DvppV2<D>, Nv12>>,
) -> Result<()> {
    let first = encoder.encode(current, picture, 90)?;
    //~ instead: first.release()?;
    let second = encoder.encode(current, picture, 50)?;
    first.release()?; //~ mistake
    second.release()
}
