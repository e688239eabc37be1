//! Halves a picture in colour by the filter for gray pictures.

use ascendcl::media::{Channel, Gray, Nv12, Picture}; //~ mistake
//~ instead: use ascendcl::media::{Channel, Gray, Picture};
use ascendcl::memory::{Dvpp, Uninit};
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    channel: &Queued<'d, Q, Channel<'_, 'd, D>>,
    input: &Queued<'d, Q, Picture<'d, Dvpp<D>, Gray>>,
    output: Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12, Uninit>>, //~ mistake
    //~ instead: output: Queued<'d, Q, Picture<'d, Dvpp<D>, Gray, Uninit>>,
) -> Result<()> {
    let small = stream.with(channel).pyramid_down(input, output)?;
    drop(small);
    Ok(())
}
