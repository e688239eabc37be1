//! Decodes a file to a picture of another format than that of the decoder.

use ascendcl::media::{JpegDecoder, JpegInfo, MediaFile, Nv12, Nv21, Picture, Receiving}; //~ mistake
//~ instead: use ascendcl::media::{JpegDecoder, JpegInfo, MediaFile, Nv12, Picture, Receiving};
use ascendcl::memory::{DvppV2, Uninit};
use ascendcl::{Npu, Result};

type D = Npu<0>;

fn wrong<'d>(
    decoder: &mut JpegDecoder<'_, 'd, D, Nv12, Receiving>,
    file: MediaFile<'d, DvppV2<D>, JpegInfo>,
    picture: Picture<'d, DvppV2<D>, Nv21, Uninit>, //~ mistake
    //~ instead: picture: Picture<'d, DvppV2<D>, Nv12, Uninit>,
) -> Result<()> {
    let (picture, file) = decoder.decode(file, picture)?;
    drop((picture, file));
    Ok(())
}
