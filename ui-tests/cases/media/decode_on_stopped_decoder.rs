//! Decodes a file on a decoder that does not receive files.

use ascendcl::media::{JpegDecoder, JpegInfo, MediaFile, Nv12, Picture, Stopped};
use ascendcl::memory::{DvppV2, Uninit};
use ascendcl::{Npu, Result};

type D = Npu<0>;

fn wrong<'d>(
    decoder: JpegDecoder<'_, 'd, D, Nv12, Stopped>,
    file: MediaFile<'d, DvppV2<D>, JpegInfo>,
    picture: Picture<'d, DvppV2<D>, Nv12, Uninit>,
) -> Result<()> {
    let mut decoder = decoder; //~ mistake
    //~ instead: let mut decoder = decoder.start()?;
    let (picture, file) = decoder.decode(file, picture)?;
    drop((picture, file));
    Ok(())
}
