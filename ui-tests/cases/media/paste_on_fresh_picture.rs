//! Pastes on a picture that nothing has written.

use ascendcl::media::{Channel, Nv12, Picture, Region}; //~ mistake
//~ instead: use ascendcl::media::{Channel, Nv12, Picture, Region, Unchecked};
use ascendcl::memory::{Dvpp, Uninit}; //~ mistake
//~ instead: use ascendcl::memory::Dvpp;
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    channel: &Queued<'d, Q, Channel<'_, 'd, D>>,
    input: &Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12>>,
    canvas: &mut Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12, Uninit>>, //~ mistake
    //~ instead: canvas: &mut Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12, Unchecked>>,
    region: Region,
) -> Result<()> {
    stream.with(channel).crop_paste(input, region, canvas, region)
}
