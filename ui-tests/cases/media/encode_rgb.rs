//! Asks the JPEG encoder to read a format that it does not take.

use ascendcl::media::{Channel, Picture, Rgb888}; //~ mistake
//~ instead: use ascendcl::media::{Channel, Nv12, Picture};
use ascendcl::memory::{Dvpp, Uninit};
use ascendcl::stream::Main;
use ascendcl::{DvppBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    channel: &Queued<'d, Q, Channel<'_, 'd, D>>,
    input: &Queued<'d, Q, Picture<'d, Dvpp<D>, Rgb888>>, //~ mistake
    //~ instead: input: &Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12>>,
    file: Queued<'d, Q, DvppBuf<'d, D, [u8], Uninit>>,
) -> Result<()> {
    let file = stream.with(channel).encode_jpeg(input, 90, file)?;
    drop(file);
    Ok(())
}
