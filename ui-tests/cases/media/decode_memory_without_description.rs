//! Decodes a file in memory whose size and description nobody has read.

use ascendcl::media::{JpegDecoder, Nv12, Picture, Receiving, V2};
use ascendcl::memory::{DvppV2, DvppV2Buf, Uninit};
use ascendcl::{Current, Npu, Result};

type D = Npu<0>;

fn wrong<'d>(
    media: &V2<'_, 'd, D>,
    current: Current<'_, 'd, D>,
    decoder: &mut JpegDecoder<'_, 'd, D, Nv12, Receiving>,
    memory: DvppV2Buf<'d, D, [u8]>,
    picture: Picture<'d, DvppV2<D>, Nv12, Uninit>,
) -> Result<()> {
    let file = memory; //~ mistake
    //~ instead: let file = media.jpeg_in(current, memory, b"a picture")?;
    let (picture, file) = decoder.decode(file, picture)?;
    drop((picture, file));
    Ok(())
}
