//! Decodes a file on a channel without a decoder.

use ascendcl::media::{Channel, JpegInfo, MediaFile, Nv12, Picture, Vpc}; //~ mistake
//~ instead: use ascendcl::media::{Channel, JpegDecode, JpegInfo, MediaFile, Nv12, Picture, Vpc};
use ascendcl::memory::{Dvpp, Uninit};
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    channel: &Queued<'d, Q, Channel<'_, 'd, D, (Vpc,)>>, //~ mistake
    //~ instead: channel: &Queued<'d, Q, Channel<'_, 'd, D, (Vpc, JpegDecode)>>,
    file: &mut Queued<'d, Q, MediaFile<'d, Dvpp<D>, JpegInfo>>,
    picture: Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12, Uninit>>,
) -> Result<()> {
    let picture = stream.with(channel).decode_jpeg(file, picture)?;
    drop(picture);
    Ok(())
}
