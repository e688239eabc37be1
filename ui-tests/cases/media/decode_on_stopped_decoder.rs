//! Decodes a file on a decoder that does not receive files.

use ascendcl::media::{JpegDecoder, Nv12, Picture, Stopped};
use ascendcl::memory::{DvppV2, DvppV2Buf, Uninit};
use ascendcl::{Npu, Result};

type D = Npu<0>;

fn wrong<'d>(
    decoder: JpegDecoder<'_, 'd, D, Nv12, Stopped>,
    file: DvppV2Buf<'d, D, [u8]>,
    picture: Picture<'d, DvppV2<D>, Nv12, Uninit>,
) -> Result<()> {
    let mut decoder = decoder; //~ mistake
    //~ instead: let mut decoder = decoder.start()?;
    let (picture, file) = decoder.decode((64, 48), file, picture)?;
    drop((picture, file));
    Ok(())
}

fn main() {
    let _ = wrong;
}
