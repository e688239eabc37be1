//! Passes a picture of the second interface to a channel of the first.

use ascendcl::media::{Channel, Interpolation, Nv12, Picture};
use ascendcl::memory::{Dvpp, DvppV2, Uninit}; //~ mistake
//~ instead: use ascendcl::memory::{Dvpp, Uninit};
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    channel: &Queued<'d, Q, Channel<'_, 'd, D>>,
    input: &Queued<'d, Q, Picture<'d, DvppV2<D>, Nv12>>, //~ mistake
    //~ instead: input: &Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12>>,
    output: Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12, Uninit>>,
) -> Result<()> {
    let small = stream.with(channel).resize(input, output, Interpolation::Default)?;
    drop(small);
    Ok(())
}
