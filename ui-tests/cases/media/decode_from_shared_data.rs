//! Decodes a file in memory that others read at the same time.

use ascendcl::media::{Channel, JpegInfo, MediaFile, Nv12, Picture};
use ascendcl::memory::{Dvpp, Uninit};
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    channel: &Queued<'d, Q, Channel<'_, 'd, D>>,
    file: Queued<'d, Q, MediaFile<'d, Dvpp<D>, JpegInfo>>, //~ mistake
    //~ instead: mut file: Queued<'d, Q, MediaFile<'d, Dvpp<D>, JpegInfo>>,
    picture: Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12, Uninit>>,
) -> Result<()> {
    let picture = stream.with(channel).decode_jpeg(&file, picture)?; //~ mistake
    //~ instead: let picture = stream.with(channel).decode_jpeg(&mut file, picture)?;
    drop(picture);
    Ok(())
}
