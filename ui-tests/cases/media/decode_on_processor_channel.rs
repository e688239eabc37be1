//! Decodes a file on a channel without a decoder.

use ascendcl::media::{Channel, JpegInfo, Nv12, Picture, Vpc}; //~ mistake
//~ instead: use ascendcl::media::{Channel, JpegDecode, JpegInfo, Nv12, Picture, Vpc};
use ascendcl::memory::{Dvpp, Uninit};
use ascendcl::stream::Main;
use ascendcl::{DvppBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    channel: &mut Queued<'d, Q, Channel<'_, 'd, D, (Vpc,)>>, //~ mistake
    //~ instead: channel: &mut Queued<'d, Q, Channel<'_, 'd, D, (Vpc, JpegDecode)>>,
    info: &JpegInfo,
    data: &mut Queued<'d, Q, DvppBuf<'d, D, [u8]>>,
    picture: Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12, Uninit>>,
) -> Result<()> {
    let picture = channel.decode_jpeg(stream, info, data, picture)?;
    drop(picture);
    Ok(())
}

fn main() {
    let _ = wrong;
}
