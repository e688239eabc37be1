//! Decodes a file in memory that others read at the same time.

use ascendcl::media::{Channel, JpegInfo, Nv12, Picture};
use ascendcl::memory::{Dvpp, Uninit};
use ascendcl::stream::Main;
use ascendcl::{DvppBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    channel: &mut Queued<'d, Q, Channel<'_, 'd, D>>,
    info: &JpegInfo,
    data: Queued<'d, Q, DvppBuf<'d, D, [u8]>>, //~ mistake
    //~ instead: mut data: Queued<'d, Q, DvppBuf<'d, D, [u8]>>,
    picture: Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12, Uninit>>,
) -> Result<()> {
    let picture = channel.decode_jpeg(stream, info, &data, picture)?; //~ mistake
    //~ instead: let picture = channel.decode_jpeg(stream, info, &mut data, picture)?;
    drop(picture);
    Ok(())
}

fn main() {
    let _ = wrong;
}
