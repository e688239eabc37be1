//! Queues work on a channel that no stream has.

use ascendcl::media::{Channel, Interpolation, Nv12, Picture};
use ascendcl::memory::{Dvpp, Uninit};
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    channel: Channel<'_, 'd, D>,
    input: &Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12>>,
    output: Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12, Uninit>>,
) -> Result<()> {
    //~ instead: let channel = stream.adopt(channel);
    let small = stream.with(&channel).resize(input, output, Interpolation::Default)?; //~ mistake
    //~ instead: let small = stream.with(&channel).resize(input, output, Interpolation::Default)?;
    drop(small);
    Ok(())
}
