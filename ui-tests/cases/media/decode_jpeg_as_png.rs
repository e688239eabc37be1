//! Gives a JPEG file to the PNG decoder.

use ascendcl::media::{JpegInfo, MediaFile, Picture, PngDecoder, Rgb888}; //~ mistake
//~ instead: use ascendcl::media::{MediaFile, Picture, PngDecoder, PngInfo, Rgb888};
use ascendcl::memory::{DvppV2, Uninit};
use ascendcl::{Npu, Result};

type D = Npu<0>;

fn wrong<'d>(
    decoder: &mut PngDecoder<'_, 'd, D>,
    file: MediaFile<'d, DvppV2<D>, JpegInfo>, //~ mistake
    //~ instead: file: MediaFile<'d, DvppV2<D>, PngInfo>,
    picture: Picture<'d, DvppV2<D>, Rgb888, Uninit>,
) -> Result<()> {
    let (picture, file) = decoder.decode(file, picture)?;
    drop((picture, file));
    Ok(())
}
