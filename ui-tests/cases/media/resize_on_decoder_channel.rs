//! Scales a picture on a channel that only decodes.

use ascendcl::media::{Channel, Interpolation, JpegDecode, Nv12, Picture}; //~ mistake
//~ instead: use ascendcl::media::{Channel, Interpolation, JpegDecode, Nv12, Picture, Vpc};
use ascendcl::memory::{Dvpp, Uninit};
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    channel: &Queued<'d, Q, Channel<'_, 'd, D, (JpegDecode,)>>, //~ mistake
    //~ instead: channel: &Queued<'d, Q, Channel<'_, 'd, D, (Vpc, JpegDecode)>>,
    input: &Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12>>,
    output: Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12, Uninit>>,
) -> Result<()> {
    let small = stream.with(channel).resize(input, output, Interpolation::Default)?;
    drop(small);
    Ok(())
}
