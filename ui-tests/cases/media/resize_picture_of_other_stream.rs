//! Scales a picture that another stream has.

use ascendcl::media::{Channel, Interpolation, Nv12, Picture};
use ascendcl::memory::{Dvpp, Uninit};
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream, StreamName};

enum Side {}
impl StreamName for Side {}

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    channel: &Queued<'d, Q, Channel<'_, 'd, D>>,
    input: &Queued<'d, (D, Side), Picture<'d, Dvpp<D>, Nv12>>, //~ mistake
    //~ instead: input: &Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12>>,
    output: Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12, Uninit>>,
) -> Result<()> {
    let small = stream.with(channel).resize(input, output, Interpolation::Default)?;
    drop(small);
    Ok(())
}
